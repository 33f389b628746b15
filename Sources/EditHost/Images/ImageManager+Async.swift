// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension ImageManager {
    /// Returns the final picture of an asset, without a degraded one before it. Cancelling the task cancels the
    /// render.
    ///
    /// - Parameters:
    ///   - targetSize: The box in pixels; ``maximumSize`` for the size of the version.
    ///   - contentMode: Whether the picture fits into the box or covers it.
    ///   - options: The options of the request; `nil` for the defaults. ``ImageRequestOptions/isSynchronous`` blocks
    ///     no thread.
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

    /// Returns the pictures of an asset as they become available. In the delivery mode `opportunistic`, a degraded
    /// picture may precede the final one.
    ///
    /// Ending the iteration cancels the request.
    /// - Parameters: See ``image(for:targetSize:contentMode:options:)``.
    /// - Returns: A stream that ends after the final picture or throws the error.
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

    /// Returns a picture of an asset as a file. Small sRGB pictures are read from the library's cache without
    /// decoding, if they are available.
    ///
    /// - Parameters:
    ///   - targetSize: The box in pixels; ``maximumSize`` for the size of the version.
    ///   - contentMode: Whether the picture fits into the box or covers it.
    ///   - options: The options of the request; `nil` for the defaults.
    ///   - format: JPEG, PNG, WebP or another writable format; `nil` for the format of the cache, which is JPEG, or
    ///     WebP if there is alpha.
    ///   - quality: The quality of a lossy format, from 1 to 100; `nil` for ``ExportOptions/defaultQuality``, or
    ///     that of the cache.
    /// - Throws: `HostError`, `LibraryError`, naming the asset; `HostError` with `badRequest` or `cancelled`.
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
