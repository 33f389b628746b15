// SPDX-License-Identifier: Apache-2.0

import EditHost
import Synchronization

/// A memory cache of the pictures that were sent last. A picture stored under a content key never becomes stale.
final class PictureStore: Sendable {
    private struct Entry {
        let picture: EncodedImage
        var lastUse: Int
    }

    private struct State {
        var entries: [PictureRequest: Entry] = [:]
        var size = 0
        var uses = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: The maximum size of all pictures together, in bytes.
    init(limit: Int) { self.limit = limit }

    /// Returns the picture of a request, or nil if it is not cached.
    func picture(_ request: PictureRequest) -> EncodedImage? {
        state.withLock { state in
            state.uses += 1
            state.entries[request]?.lastUse = state.uses
            return state.entries[request]?.picture
        }
    }

    /// Keeps a picture. Pictures of more than a 16th of the limit are not kept.
    func keep(_ picture: EncodedImage, _ request: PictureRequest) {
        guard picture.data.count <= limit / 16 else { return }
        state.withLock { state in
            state.uses += 1
            let old = state.entries.updateValue(
                Entry(picture: picture, lastUse: state.uses), forKey: request)
            state.size += picture.data.count - (old?.picture.data.count ?? 0)
            if state.size > limit { Self.evict(&state, to: limit / 10 * 9) }
        }
    }

    private static func evict(_ state: inout State, to size: Int) {
        for (request, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard state.size > size else { return }
            state.size -= entry.picture.data.count
            state.entries[request] = nil
        }
    }
}
