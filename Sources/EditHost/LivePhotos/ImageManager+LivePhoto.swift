// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension ImageManager {
    /// Requests a Live Photo of the library.
    ///
    /// The handler is called once, except in the delivery mode `opportunistic`: it may then receive the still alone
    /// first, marked as degraded.
    /// - Parameters:
    ///   - targetSize: The box of the still, in pixels; ``maximumSize`` for its own size.
    ///   - contentMode: Whether the still fits into the box or covers it.
    ///   - options: The options; nil for the defaults.
    ///   - resultHandler: Called on any thread.
    /// - Returns: The identifier with which the request can be cancelled.
    @discardableResult
    public func requestLivePhoto(
        for asset: Asset, targetSize: PixelSize, contentMode: ImageContentMode = .default,
        options: LivePhotoRequestOptions? = nil, resultHandler: @escaping LivePhotoResultHandler
    ) -> LivePhotoRequestID {
        let identifier = ImageRequestID.next()
        let options = options ?? LivePhotoRequestOptions()
        let request = ImageRequest(
            assetIdentifier: asset.localIdentifier, targetSize: targetSize,
            contentMode: contentMode, options: ImageRequestOptions(options))
        livePhotos.begin(identifier, resultHandler) { [self] in
            await ImageRequestInfo.answer(identifier) { info in
                let (video, resources) = try motion(of: asset, options.version)
                if options.deliveryMode == .opportunistic, let quick = await quickImage(request) {
                    livePhotos.deliver(identifier, LivePhoto(quick, nil))
                }
                guard options.deliveryMode == .fastFormat else {
                    return LivePhoto(try await image(request), video, resources: resources)
                }
                let (image, isDegraded) = try await fastImage(request)
                info.isDegraded = isDegraded
                return LivePhoto(image, video, resources: resources)
            }
        }
        return identifier
    }

    /// Returns a Live Photo of the library.
    ///
    /// - Throws: `HostError`, with `unsupportedMediaType` if that version of the asset is not a Live Photo;
    ///   `LibraryError`.
    public func livePhoto(
        for asset: Asset, targetSize: PixelSize, contentMode: ImageContentMode = .default,
        options: LivePhotoRequestOptions? = nil
    ) async throws -> LivePhoto {
        let options = options ?? LivePhotoRequestOptions()
        let request = ImageRequest(
            assetIdentifier: asset.localIdentifier, targetSize: targetSize,
            contentMode: contentMode, options: ImageRequestOptions(options))
        let (video, resources) = try motion(of: asset, options.version)
        return LivePhoto(try await image(request), video, resources: resources)
    }

    /// Returns the motion of a Live Photo, and the files that the Live Photo consists of.
    ///
    /// - Throws: `HostError`, with `unsupportedMediaType` if that version of the asset is not a Live Photo;
    ///   `LibraryError`.
    package func motion(
        of asset: Asset, _ version: ImageRequestOptionsVersion
    ) throws -> (AssetVideo, [AssetResource]) {
        let library = try pictureRenderer().library
        let identifier = asset.localIdentifier
        let history = try library.history(ofAsset: identifier)
        guard let video = history.pairedVideo, version != .current || history.hasMotion else {
            throw HostError(
                .unsupportedMediaType,
                history.pairedVideo == nil
                    ? "not a Live Photo"
                    : "the current version has no motion, because only the still was edited",
                asset: identifier)
        }
        let stored = version == .current ? history.motion?.chain.last?.current : nil
        let resources = try AssetResource.ofLivePhoto(
            history.asset, isEdited: stored != nil, in: library)
        guard let stored else {
            return (
                try AssetVideo(video, library.openOriginal(video, for: .copying)), resources
            )
        }
        let file = try library.openBlob(stored.blob, ofAsset: identifier, for: .copying)
        return (try AssetVideo(stored, file, of: video), resources)
    }
}

extension ImageRequestOptions {
    /// Creates the options of the request for a Live Photo's still.
    fileprivate init(_ options: LivePhotoRequestOptions) {
        self.init()
        version = options.version
        deliveryMode = options.deliveryMode
        isNetworkAccessAllowed = options.isNetworkAccessAllowed
        progressHandler = options.progressHandler
        resizeMode = .exact
    }
}
