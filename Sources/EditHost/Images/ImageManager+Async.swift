// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension ImageManager {
    /// Gives the right picture of an asset, and no other before. A task that is cancelled ends its work.
    ///
    /// - Parameters:
    ///   - targetSize: the box, in pixels; ``maximumSize`` for the version's own size.
    ///   - contentMode: whether the picture fits into the box or covers it.
    ///   - options: how; nil for the usual. Nobody's thread waits, whatever they say.
    /// - Throws: `HostError`, `LibraryError`, naming the asset; `HostError` with `cancelled`.
    public func image(
        for asset: Asset, targetSize: PixelSize, contentMode: ImageContentMode = .default,
        options: ImageRequestOptions? = nil
    ) async throws -> AssetImage {
        let request = ImageRequest(
            assetIdentifier: asset.localIdentifier, targetSize: targetSize,
            contentMode: contentMode, options: options ?? ImageRequestOptions())
        guard request.deliveryMode == .fastFormat else { return try await image(request) }
        return try await fastImage(request).0
    }

    /// Gives the pictures of an asset as they come: with the delivery mode `opportunistic` a temporary one
    /// perhaps, then the right one.
    ///
    /// Whoever stops listening cancels the request.
    /// - Parameters: as of ``image(for:targetSize:contentMode:options:)``.
    /// - Returns: a sequence that ends after the right picture, or with the error.
    public func images(
        for asset: Asset, targetSize: PixelSize, contentMode: ImageContentMode = .default,
        options: ImageRequestOptions? = nil
    ) -> AsyncThrowingStream<ImageResult, any Error> {
        AsyncThrowingStream { continuation in
            var options = options ?? ImageRequestOptions()
            options.isSynchronous = false
            let isTwofold = options.deliveryMode == .opportunistic
            let identifier = requestImage(
                for: asset, targetSize: targetSize, contentMode: contentMode, options: options
            ) { image, info in
                if let image { continuation.yield(ImageResult(image: image, info: info)) }
                if isTwofold, info.isDegraded { return }
                continuation.finish(
                    throwing: info.isCancelled
                        ? HostError(
                            .cancelled, "the request was cancelled", asset: asset.localIdentifier)
                        : info.error)
            }
            continuation.onTermination = { [self] _ in cancelImageRequest(identifier) }
        }
    }

    /// Gives a picture of an asset as a file. Small ones in sRGB come from the library's cache where that has
    /// them, without being decoded.
    ///
    /// - Parameters:
    ///   - targetSize: the box, in pixels; ``maximumSize`` for the version's own size.
    ///   - contentMode: whether the picture fits into the box or covers it.
    ///   - options: how; nil for the usual.
    ///   - format: JPEG, PNG, WebP or another that is written; nil for what the cache has: JPEG, with alpha
    ///     WebP.
    ///   - quality: 1...100, for a format with loss; nil for 92, or the cache's own.
    /// - Throws: `HostError`, `LibraryError`, naming the asset; `HostError` with `cancelled`.
    public func encodedImage(
        for asset: Asset, targetSize: PixelSize, contentMode: ImageContentMode = .default,
        options: ImageRequestOptions? = nil, format: MediaFormat? = nil, quality: Int? = nil
    ) async throws -> EncodedImage {
        let request = ImageRequest(
            assetIdentifier: asset.localIdentifier, targetSize: targetSize,
            contentMode: contentMode, options: options ?? ImageRequestOptions())
        return try await encodedImage(request, format, quality: quality)
    }
}

/// A picture, and what is said with it.
public struct ImageResult: Sendable {
    /// The picture.
    public let image: AssetImage
    /// Whether it is a temporary one, and which request it answers.
    public let info: ImageRequestInfo
}
