// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// Receives a video, or `nil` and an info with the reason.
public typealias VideoResultHandler = @Sendable (AssetVideo?, ImageRequestInfo) -> Void

extension ImageManager {
    /// Requests the file of a version of a video. A version whose rendition is not stored is rendered.
    ///
    /// - Parameters:
    ///   - options: The options of the request; `nil` for the defaults.
    ///   - resultHandler: Called exactly once, on any thread.
    /// - Returns: An identifier for ``cancelImageRequest(_:)``.
    @discardableResult
    public func requestVideo(
        for asset: Asset, options: VideoRequestOptions? = nil,
        resultHandler: @escaping VideoResultHandler
    ) -> ImageRequestID {
        let identifier = ImageRequestID.next()
        let version = (options ?? VideoRequestOptions()).version
        videos.begin(identifier, resultHandler) { [self] in
            await answer(identifier) { _ in
                try await video(ofAsset: asset.localIdentifier, version)
            }
        }
        return identifier
    }

    /// Returns the file of a version of a video.
    ///
    /// - Throws: `HostError`, with `unsupportedMediaType` if the asset is not a video; `LibraryError`.
    public func video(
        for asset: Asset, options: VideoRequestOptions? = nil
    ) async throws -> AssetVideo {
        try await video(ofAsset: asset.localIdentifier, (options ?? VideoRequestOptions()).version)
    }

    private func video(
        ofAsset identifier: String, _ version: VideoRequestOptionsVersion
    ) async throws -> AssetVideo {
        let pictureRenderer = try pictureRenderer()
        let library = pictureRenderer.library
        let history = try library.history(ofAsset: identifier)
        let asset = history.asset
        guard asset.mediaType == .video, let original = history.original else {
            throw HostError(
                .unsupportedMediaType, "this is of type \(asset.mediaType.name), not a video",
                asset: identifier)
        }
        if version == .current, !history.chain.isEmpty {
            if let stored = library.storedPicture(of: history.chain) {
                return try AssetVideo(
                    library.openBlob(stored.blob, ofAsset: identifier, for: .copying),
                    stored.format,
                    PixelSize(width: stored.pixelWidth, height: stored.pixelHeight),
                    duration: asset.duration)
            }
            // A rendition that is lost or was pruned is rendered again, and not stored.
            let plan = try pictureRenderer.host.planner.plan(history.chain, of: history)
            let settings = EncodeSettings.rendition(of: plan.originalFacts)
            let video = try await pictureRenderer.host.renderer(of: library, for: .copying)
                .picture(of: plan, settings)
            return try AssetVideo(
                video.bytes, settings.format, video.size,
                duration: video.duration ?? asset.duration)
        }
        let facts = original.facts
        return try AssetVideo(
            library.openOriginal(original, for: .copying), original.format,
            PixelSize(width: facts?.pixelWidth ?? 0, height: facts?.pixelHeight ?? 0),
            duration: facts?.video?.duration ?? asset.duration)
    }
}
