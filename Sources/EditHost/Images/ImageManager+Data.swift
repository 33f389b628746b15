// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library
import RunnerProtocol

extension ImageManager {
    /// Requests the stored bytes of a version of an asset: the original's without edits, otherwise the rendition's. A
    /// rendition that is not stored is rendered. The bytes are always of the best quality.
    ///
    /// - Parameters:
    ///   - options: Only ``ImageRequestOptions/version`` and ``ImageRequestOptions/isSynchronous`` are used; `nil`
    ///     for the defaults.
    ///   - resultHandler: Called exactly once, on any thread.
    /// - Returns: An identifier for ``cancelImageRequest(_:)``.
    @discardableResult
    public func requestImageDataAndOrientation(
        for asset: Asset, options: ImageRequestOptions? = nil,
        resultHandler: @escaping ImageDataResultHandler
    ) -> ImageRequestID {
        let identifier = ImageRequestID.next()
        let options = options ?? ImageRequestOptions()
        let handler: ImageRequests<ImageData>.Handler = { file, info in
            resultHandler(
                file?.data, file?.format.uniformTypeIdentifier, file?.orientation ?? 1, info)
        }
        let work: @Sendable () async throws -> ImageData = { [self] in
            try await data(ofAsset: asset.localIdentifier, options.version)
        }
        if options.isSynchronous {
            let (file, info) = waiting(identifier, work)
            handler(file, info)
        } else {
            files.begin(identifier, handler) { [self] in
                await answer(identifier) { _ in try await work() }
            }
        }
        return identifier
    }

    /// Returns the bytes of a version of an asset. See
    /// ``requestImageDataAndOrientation(for:options:resultHandler:)``.
    ///
    /// - Returns: The bytes, their format, and the EXIF orientation of their pixels, from 1 to 8.
    /// - Throws: `HostError`, `LibraryError`, naming the asset; `HostError` with `cancelled`.
    public func imageDataAndOrientation(
        for asset: Asset, options: ImageRequestOptions? = nil
    ) async throws -> (data: Data, format: MediaFormat, orientation: Int) {
        let file = try await data(
            ofAsset: asset.localIdentifier, (options ?? ImageRequestOptions()).version)
        return (file.data, file.format, file.orientation)
    }

    private func data(
        ofAsset identifier: String, _ version: ImageRequestOptionsVersion
    ) async throws -> ImageData {
        let pictureRenderer = try pictureRenderer()
        let history = try pictureRenderer.library.history(ofAsset: identifier)
        guard version == .current, !history.chain.isEmpty else {
            return try pictureRenderer.originalData(of: history, version)
        }
        if let stored = pictureRenderer.library.storedPicture(of: history.chain) {
            let file = try pictureRenderer.library.openBlob(stored.blob, ofAsset: identifier)
            return ImageData(
                data: try file.read(count: file.byteCount()), format: stored.format, orientation: 1)
        }
        let plan = try pictureRenderer.host.planner.plan(history.chain, of: history)
        let settings = EncodeSettings.rendition(of: plan.originalFacts)
        let picture = try await pictureRenderer.host.renderer(of: pictureRenderer.library)
            .picture(of: plan, settings)
        return ImageData(
            data: try picture.bytes.read(count: picture.byteCount), format: settings.format,
            orientation: 1)
    }
}

extension PictureRenderer {
    fileprivate func originalData(
        of history: AssetHistory, _ version: ImageRequestOptionsVersion
    ) throws -> ImageData {
        let raw = version == .original ? history.rawOriginal : nil
        guard let resource = raw ?? history.original else {
            throw HostError(
                .cannotRender, "no original", asset: history.asset.localIdentifier)
        }
        let file = try library.openOriginal(resource)
        return ImageData(
            data: try file.read(count: file.byteCount()), format: resource.format,
            orientation: resource.facts?.orientation ?? 1)
    }
}
