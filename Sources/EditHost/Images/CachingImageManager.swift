// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import Synchronization

/// An ``ImageManager`` that can prefetch pictures that are about to be shown.
///
/// Prefetched pictures are kept in memory, within the manager's limit. Requests with the same size, mode and options
/// find them there. Requests take priority over prefetching.
///
/// `@unchecked Sendable` is safe: the properties that this class adds are constant and protected by a lock.
public final class CachingImageManager: ImageManager, @unchecked Sendable {
    private struct Key: Hashable {
        let asset: String
        let size: PixelSize
        let mode: ImageContentMode
        let version: ImageRequestOptionsVersion
        let state: AssetImageState?
        let delivery: ImageRequestOptionsDeliveryMode
        let resize: ImageRequestOptionsResizeMode
        let crop: NormalizedRect
        let keepsProfile: Bool
        let isOpaque: Bool

        init(_ request: ImageRequest) {
            asset = request.assetIdentifier
            size = request.targetSize
            mode = request.contentMode
            version = request.options.version
            state = request.options.state
            delivery = request.deliveryMode
            resize = request.options.resizeMode
            crop = request.options.normalizedCropRect
            keepsProfile = request.options.keepsColorProfile
            isOpaque = request.options.isOpaque
        }
    }

    private struct Ahead {
        let number: Int
        let task: Task<Void, Never>
    }

    private struct State {
        var ahead: [Key: Ahead] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    /// Creates a manager for the pictures of a library. See ``ImageManager/init(host:library:memoryLimit:)``.
    public override init(
        host: ExtensionHost, library: PhotoLibrary, memoryLimit: Int = defaultMemoryLimit
    ) {
        super.init(host: host, library: library, memoryLimit: memoryLimit)
    }

    /// Creates a manager for ``PhotoLibrary/shared`` that renders with ``ExtensionHost/shared``.
    public override init() { super.init() }

    /// Starts to prefetch pictures that will be requested soon. Pictures that cannot be rendered are skipped.
    ///
    /// - Parameters: See ``ImageManager/requestImage(for:targetSize:contentMode:options:resultHandler:)``.
    public func startCachingImages(
        for assets: some Sequence<Asset>, targetSize: PixelSize,
        contentMode: ImageContentMode = .default, options: ImageRequestOptions? = nil
    ) {
        for asset in assets {
            let request = request(asset, targetSize, contentMode, options)
            let key = Key(request)
            state.withLock { state in
                guard state.ahead[key] == nil else { return }
                state.lastNumber += 1
                let number = state.lastNumber
                let task = Task.detached(executorPreference: WaitingThread.executor) { [self] in
                    _ = try? await image(request, .ahead)
                    finished(key, number)
                }
                state.ahead[key] = Ahead(number: number, task: task)
            }
        }
    }

    /// Stops the prefetching that was started with the same arguments.
    public func stopCachingImages(
        for assets: some Sequence<Asset>, targetSize: PixelSize,
        contentMode: ImageContentMode = .default, options: ImageRequestOptions? = nil
    ) {
        for asset in assets {
            let key = Key(request(asset, targetSize, contentMode, options))
            state.withLock { $0.ahead.removeValue(forKey: key) }?.task.cancel()
        }
    }

    /// Stops all prefetching and frees the pictures in memory.
    public func stopCachingImagesForAllAssets() {
        let ended = state.withLock { state in
            defer { state.ahead = [:] }
            return state.ahead.values.map(\.task)
        }
        for task in ended { task.cancel() }
        (try? pictureRenderer())?.cache.removeAll()
    }

    package override var ahead: Int { state.withLock { $0.ahead.count } }

    private func request(
        _ asset: Asset, _ size: PixelSize, _ mode: ImageContentMode, _ options: ImageRequestOptions?
    ) -> ImageRequest {
        ImageRequest(
            assetIdentifier: asset.localIdentifier, targetSize: size, contentMode: mode,
            options: options ?? ImageRequestOptions())
    }

    private func finished(_ key: Key, _ number: Int) {
        state.withLock { state in
            if state.ahead[key]?.number == number { state.ahead[key] = nil }
        }
    }
}
