// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import Synchronization

/// Gets a picture, or what the info says of why there is none.
public typealias ImageResultHandler = @Sendable (AssetImage?, ImageRequestInfo) -> Void

/// Gets a version's bytes, their uniform type identifier and the EXIF orientation (1...8) of their pixels, or
/// what the info says of why there are none.
public typealias ImageDataResultHandler =
    @Sendable (Data?, _ uniformTypeIdentifier: String?, _ orientation: Int, ImageRequestInfo) ->
    Void

/// Gives pictures of assets at any size, to whoever shows them: a grid, a viewer, a web page, a script.
///
/// Runners draw them; this process decodes nothing. Drawn pictures are kept in memory for a while, small ones
/// in the library's cache, too. Handlers are called on any thread; a manager can be used from any thread.
///
/// `@unchecked Sendable` is safe: everything stored is constant and `Sendable`. The class has one subclass, in
/// this module, which adds what has a lock.
public class ImageManager: @unchecked Sendable {
    /// Asks for a picture as large as its version is, whatever that is.
    public static let maximumSize = PixelSize(width: .max, height: .max)
    /// The longer side, in pixels, up to which pictures are brought to sRGB unless they are to keep their own
    /// colour profile.
    public static let displaySize = ExtensionHost.displaySize
    /// How much drawn pictures take up in memory unless said otherwise, in bytes: 64 MiB.
    public static let defaultMemoryLimit = 64 << 20

    let images = ImageRequests<AssetImage>()
    let files = ImageRequests<ImageData>()
    let videos = ImageRequests<AssetVideo>()
    let livePhotos = ImageRequests<LivePhoto>()
    private let makeDrawer: @Sendable () throws -> ImageDrawer
    private let drawers = Mutex<ImageDrawer?>(nil)

    /// Makes a manager of the pictures of a library.
    ///
    /// - Parameters:
    ///   - host: who has the runners.
    ///   - library: the assets'.
    ///   - memoryLimit: how much drawn pictures may take up in memory, in bytes.
    public init(host: ExtensionHost, library: PhotoLibrary, memoryLimit: Int = defaultMemoryLimit) {
        makeDrawer = { ImageDrawer(host, library, memoryLimit: memoryLimit) }
    }

    /// Makes one of the shared library, which is opened when the first picture is asked for.
    init() {
        makeDrawer = {
            ImageDrawer(try .shared, try .shared, memoryLimit: ImageManager.defaultMemoryLimit)
        }
    }

    private static let theDefault = ImageManager()

    /// The manager of ``PhotoLibrary/shared``, by ``ExtensionHost/shared``. Where these cannot be had, its
    /// requests fail with the error.
    public static func `default`() -> ImageManager { theDefault }

    /// What finds and draws.
    func drawer() throws -> ImageDrawer {
        try drawers.withLock { drawers in
            if let drawers { return drawers }
            let drawer = try makeDrawer()
            drawers = drawer
            return drawer
        }
    }

    // MARK: - Pictures

    /// Asks for a picture of an asset.
    ///
    /// The handler is called once, but for the delivery mode `opportunistic`, where a temporary picture may come
    /// before; it is marked as degraded. What is in memory comes before this method returns. It is called once
    /// more with ``ImageRequestInfo/isCancelled`` after ``cancelImageRequest(_:)``.
    ///
    /// A picture is never enlarged: a smaller version keeps its own size, and the result says so.
    /// - Parameters:
    ///   - targetSize: the box, in pixels; ``maximumSize`` for the version's own size.
    ///   - contentMode: whether the picture fits into the box or covers it.
    ///   - options: how; nil for the usual.
    ///   - resultHandler: called on any thread.
    /// - Returns: what the request can be cancelled by.
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
                    images.tell(identifier, quick)
                }
                guard request.deliveryMode == .fastFormat else { return try await image(request) }
                let (image, isDegraded) = try await fastImage(request)
                info.isDegraded = isDegraded
                return image
            }
        }
        return identifier
    }

    /// Ends a request. Its handler is told so, soon, on another thread; the work that is done for nobody
    /// else is stopped. Nothing happens where the request has ended, or is not known.
    public func cancelImageRequest(_ requestID: ImageRequestID) {
        images.cancel(requestID)
        files.cancel(requestID)
        videos.cancel(requestID)
        livePhotos.cancel(requestID)
    }

    /// How many requests have not been answered to the end, and how many drawings are under way or wait.
    package var unfinished: (requests: Int, drawings: Int) {
        (
            images.count + files.count + videos.count + livePhotos.count + ahead,
            (try? drawer())?.queue.count ?? 0
        )
    }

    /// How many pictures are being drawn ahead.
    package var ahead: Int { 0 }

    /// How many drawings, decoded cached pictures among them, have been begun.
    package var drawings: Int { (try? drawer())?.queue.begun ?? 0 }

    // MARK: - Answers

    /// Carries a request out, and puts what went wrong into words for its handler.
    func answer<Value: Sendable>(
        _ identifier: ImageRequestID, _ body: (inout ImageRequestInfo) async throws -> Value
    ) async -> (Value?, ImageRequestInfo) {
        await ImageRequestInfo.answer(identifier, body)
    }

    /// The same for somebody whose thread waits.
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

extension ImageRequestInfo {
    /// Carries a request out, and puts what went wrong into words for its handler.
    static func answer<Value: Sendable>(
        _ identifier: ImageRequestID, _ body: (inout ImageRequestInfo) async throws -> Value
    ) async -> (Value?, ImageRequestInfo) {
        var info = ImageRequestInfo(identifier)
        do {
            return (try await body(&info), info)
        } catch {
            info.isDegraded = false
            info.isInCloud = error.isOriginalAway
            info.isCancelled = error.isCancellation
            info.error = info.isCancelled ? nil : error
            return (nil, info)
        }
    }
}

extension Error {
    /// Whether an original lies elsewhere and is not there.
    fileprivate var isOriginalAway: Bool { (self as? LibraryError)?.code == .originalMissing }

    /// Whether nobody wanted it any more.
    fileprivate var isCancellation: Bool {
        self is CancellationError || (self as? HostError)?.code == .cancelled
    }
}

extension ImageDrawer {
    init(_ host: ExtensionHost, _ library: PhotoLibrary, memoryLimit: Int) {
        host.attach(to: library)
        self.init(
            host: host, library: library, sources: ImageSources(of: library),
            drawn: DrawnImages(limit: memoryLimit),
            thumbnails: library.thumbnails(limit: host.configuration.thumbnailCacheLimit),
            queue: DrawingQueue(limit: host.configuration.runnerLimit))
    }
}
