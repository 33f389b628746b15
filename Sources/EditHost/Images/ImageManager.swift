// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import Synchronization

/// Receives a picture, or `nil` and an info with the reason.
public typealias ImageResultHandler = @Sendable (AssetImage?, ImageRequestInfo) -> Void

/// Receives the bytes of a version, their uniform type identifier, and the EXIF orientation of their pixels, from 1
/// to 8. If there are no bytes, the info contains the reason.
public typealias ImageDataResultHandler =
    @Sendable (Data?, _ uniformTypeIdentifier: String?, _ orientation: Int, ImageRequestInfo) ->
    Void

/// Provides pictures of assets at any size, for grids, viewers, web pages and scripts.
///
/// Runners render the pictures; this process decodes nothing. Rendered pictures are cached in memory, and small ones
/// also in the library's cache. Handlers are called on any thread, and a manager can be used from any thread.
///
/// `@unchecked Sendable` is safe: all stored properties are constant and `Sendable`. The only subclass is in this
/// module, and protects its state with a lock.
public class ImageManager: @unchecked Sendable {
    /// A target size that requests a picture at the size of its version.
    public static let maximumSize = PixelSize(width: .max, height: .max)
    /// The longer side, in pixels, up to which pictures are converted to sRGB, unless they keep their own colour
    /// profile.
    public static let displaySize = ExtensionHost.displaySize
    /// The default memory limit of rendered pictures, in bytes: 64 MiB.
    public static let defaultMemoryLimit = 64 << 20

    let images = ImageRequests<AssetImage>()
    let files = ImageRequests<ImageData>()
    let videos = ImageRequests<AssetVideo>()
    let livePhotos = ImageRequests<LivePhoto>()
    private let makePictureRenderer: @Sendable () throws -> PictureRenderer
    private let sharedRenderer = Mutex<PictureRenderer?>(nil)

    /// Creates a manager for the pictures of a library.
    ///
    /// - Parameters:
    ///   - host: The host that renders the pictures.
    ///   - library: The library of the assets.
    ///   - memoryLimit: The maximum size of the rendered pictures in memory, in bytes.
    public init(host: ExtensionHost, library: PhotoLibrary, memoryLimit: Int = defaultMemoryLimit) {
        makePictureRenderer = { PictureRenderer(host, library, memoryLimit: memoryLimit) }
    }

    /// Creates a manager for the shared library, which is opened lazily.
    init() {
        makePictureRenderer = {
            PictureRenderer(try .shared, try .shared, memoryLimit: ImageManager.defaultMemoryLimit)
        }
    }

    private static let theDefault = ImageManager()

    /// Returns the manager for ``PhotoLibrary/shared`` that renders with ``ExtensionHost/shared``. If either is
    /// unavailable, its requests fail with the error.
    public static func `default`() -> ImageManager { theDefault }

    /// Returns the renderer, created on the first call.
    func pictureRenderer() throws -> PictureRenderer {
        try sharedRenderer.withLock { sharedRenderer in
            if let sharedRenderer { return sharedRenderer }
            let pictureRenderer = try makePictureRenderer()
            sharedRenderer = pictureRenderer
            return pictureRenderer
        }
    }

    // MARK: - Pictures

    /// Requests a picture of an asset.
    ///
    /// The handler is called once. In the delivery mode `opportunistic`, a degraded picture may precede the final
    /// one. A picture that is in memory is delivered before this method returns. After ``cancelImageRequest(_:)``,
    /// the handler is called once more, with ``ImageRequestInfo/isCancelled``.
    ///
    /// A picture is never enlarged: a smaller version keeps its own size, which the result reports.
    /// - Parameters:
    ///   - targetSize: The box in pixels; ``maximumSize`` for the size of the version.
    ///   - contentMode: Whether the picture fits into the box or covers it.
    ///   - options: The options of the request; `nil` for the defaults.
    ///   - resultHandler: Called on any thread.
    /// - Returns: An identifier for ``cancelImageRequest(_:)``.
    @discardableResult
    public func requestImage(
        for asset: Asset, targetSize: PixelSize, contentMode: ImageContentMode = .default,
        options: ImageRequestOptions? = nil, resultHandler: @escaping ImageResultHandler
    ) -> ImageRequestID {
        let identifier = ImageRequestID.next()
        let request = ImageRequest(
            assetIdentifier: asset.localIdentifier, targetSize: targetSize,
            contentMode: contentMode, options: options ?? ImageRequestOptions())
        if request.options.isSynchronous {
            let (image, info) = waiting(identifier) { try await self.image(request, .quick) }
            resultHandler(image, info)
            return identifier
        }
        let (found, isFinal) = imageInMemory(request)
        if let found, isFinal {
            resultHandler(found, ImageRequestInfo(identifier))
            return identifier
        }
        let early = request.deliveryMode == .opportunistic ? found : nil
        images.begin(identifier, early: early, resultHandler) { [self] in
            await answer(identifier) { info in
                if request.deliveryMode == .opportunistic, early == nil,
                    let quick = await quickImage(request)
                {
                    images.deliver(identifier, quick)
                }
                guard request.deliveryMode == .fastFormat else { return try await image(request) }
                let (image, isDegraded) = try await fastImage(request)
                info.isDegraded = isDegraded
                return image
            }
        }
        return identifier
    }

    /// Cancels a request. Its handler is notified soon, on another thread, and renders that no other request shares
    /// are stopped. Cancelling an ended or unknown request is a no-op.
    public func cancelImageRequest(_ requestID: ImageRequestID) {
        images.cancel(requestID)
        files.cancel(requestID)
        videos.cancel(requestID)
        livePhotos.cancel(requestID)
    }

    /// The number of unfinished requests, and of renders in flight or waiting.
    package var unfinished: (requests: Int, renders: Int) {
        (
            images.count + files.count + videos.count + livePhotos.count + ahead,
            (try? pictureRenderer())?.queue.count ?? 0
        )
    }

    /// The number of pictures being prefetched.
    package var ahead: Int { 0 }

    /// The number of renders started so far, including decodes of cached pictures.
    package var renders: Int { (try? pictureRenderer())?.queue.begun ?? 0 }

    // MARK: - Answers

    /// Runs a request and converts its errors to an info for the handler.
    func answer<Value: Sendable>(
        _ identifier: ImageRequestID, _ body: (inout ImageRequestInfo) async throws -> Value
    ) async -> (Value?, ImageRequestInfo) {
        await ImageRequestInfo.answer(identifier, body)
    }

    /// Runs a request while the calling thread is blocked.
    func waiting<Value: Sendable>(
        _ identifier: ImageRequestID, _ body: @escaping @Sendable () async throws -> Value
    ) -> (Value?, ImageRequestInfo) {
        let outcome = Mutex<(Value?, ImageRequestInfo)>((nil, ImageRequestInfo(identifier)))
        WaitingThread.wait { [self] in
            let answer = await answer(identifier) { _ in try await body() }
            outcome.withLock { $0 = answer }
        }
        let (value, info) = outcome.withLock { $0 }
        return (value, info.withoutCancel)
    }
}
