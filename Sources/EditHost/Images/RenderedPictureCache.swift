// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Synchronization

/// A memory cache of rendered pictures with synchronous lookup. Beyond its limit, the least recently used pictures
/// are evicted.
final class RenderedPictureCache: Sendable {
    private struct Entry {
        let image: AssetImage
        /// Whether the picture was rendered from the photo itself, not from a compressed cache file or a
        /// thumbnail.
        let isTrue: Bool
        var used: UInt64

        /// The size in whole pages, as the memory is allocated.
        var size: Int { (image.byteCount + 4095) / 4096 * 4096 }
    }

    private struct State {
        /// The rendered pictures by their source.
        var entries: [DisplaySource.Key: [DisplaySettings: Entry]] = [:]
        var size = 0
        var clock: UInt64 = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: The maximum size of all pictures, in bytes.
    init(limit: Int) { self.limit = limit }

    /// Returns the picture with these settings. If its size need not be exact, a larger one of less than twice the
    /// size may be returned.
    ///
    /// - Parameter isTrue: Whether only pictures rendered from the photo itself are accepted.
    func image(
        _ display: DisplaySettings, of source: DisplaySource, isTrue: Bool
    ) -> AssetImage? {
        state.withLock { state in
            let known = state.entries[source.key]?.filter { $0.value.isTrue || !isTrue } ?? [:]
            let found =
                known[display] != nil
                ? display
                : known.first {
                    serves($0.value.image, rendered: $0.key, for: display, of: source)
                }?
                .key
            guard let found else { return nil }
            state.clock += 1
            state.entries[source.key]?[found]?.used = state.clock
            return state.entries[source.key]?[found]?.image
        }
    }

    private func serves(
        _ image: AssetImage, rendered: DisplaySettings, for display: DisplaySettings,
        of source: DisplaySource
    ) -> Bool {
        guard !display.isExact, rendered.shares(display), let box = display.box else {
            return false
        }
        return image.width >= box.width && image.height >= box.height
            && image.width < 2 * box.width && image.height < 2 * box.height
    }

    /// Returns the largest cached picture of the source that is smaller than requested.
    func smallerImage(_ display: DisplaySettings, of source: DisplaySource) -> AssetImage? {
        state.withLock { state in
            state.entries[source.key]?.filter {
                $0.key.shares(display) && $0.value.image.width < display.box?.width ?? .max
            }
            .max { $0.value.image.width < $1.value.image.width }?.value.image
        }
    }

    /// Caches a picture, unless it takes more than a quarter of the limit.
    func keep(
        _ image: AssetImage, _ display: DisplaySettings, of source: DisplaySource, isTrue: Bool
    ) {
        guard image.byteCount <= limit / 4 else { return }
        state.withLock { state in
            state.clock += 1
            if state.entries[source.key]?[display]?.isTrue == true, !isTrue { return }
            let entry = Entry(image: image, isTrue: isTrue, used: state.clock)
            let old = state.entries[source.key, default: [:]].updateValue(entry, forKey: display)
            state.size += entry.size - (old?.size ?? 0)
            if state.size > limit { Self.evict(&state, to: limit / 8 * 7) }
        }
    }

    private static func evict(_ state: inout State, to size: Int) {
        let all = state.entries.flatMap { source, rendered in
            rendered.map { (source: source, display: $0.key, used: $0.value.used) }
        }
        for entry in all.sorted(by: { $0.used < $1.used }) where state.size > size {
            guard let old = state.entries[entry.source]?.removeValue(forKey: entry.display) else {
                continue
            }
            state.size -= old.size
            if state.entries[entry.source]?.isEmpty == true { state.entries[entry.source] = nil }
        }
    }

    /// Evicts all pictures.
    func removeAll() { state.withLock { $0 = State() } }

    /// The size of all pictures, in bytes.
    var size: Int { state.withLock { $0.size } }
}
