// SPDX-License-Identifier: Apache-2.0

import Library
import Synchronization

/// A cache of the sources of versions, valid until the library changes. Finding a source takes several queries, and
/// scrolling requests the same sources repeatedly.
final class DisplaySources: Sendable {
    private struct Key: Hashable {
        let assetIdentifier: String
        let version: ImageRequestOptionsVersion
        let state: AssetImageState?
    }

    private struct State {
        /// The library's change number at which the sources were found.
        var change: Int64?
        var sources: [Key: DisplaySource] = [:]
    }

    /// The maximum number of cached sources. Beyond it, the cache is emptied.
    private static let limit = 10_000

    private let library: PhotoLibrary
    private let state = Mutex(State())

    init(of library: PhotoLibrary) { self.library = library }

    /// Returns the current source of a version of an asset.
    ///
    /// - Parameter find: Finds a source that is not cached.
    /// - Throws: `LibraryError`, and errors thrown by `find`.
    func source(
        ofAsset identifier: String, _ version: ImageRequestOptionsVersion,
        _ imageState: AssetImageState? = nil, _ find: () throws -> DisplaySource
    ) throws -> DisplaySource {
        // Read first: a change while the source is being found must invalidate it.
        let change = try library.lastChangeNumber
        let key = Key(assetIdentifier: identifier, version: version, state: imageState)
        if let known = known(key, change), isThere(known) { return known }
        let source = try find()
        // A state that must be rendered also depends on the installed extensions, so it is not cached.
        guard source.key.file != nil else { return source }
        state.withLock { state in
            guard state.change == change else { return }
            if state.sources.count >= Self.limit { state.sources = [:] }
            state.sources[key] = source
        }
        return source
    }

    private func known(_ key: Key, _ change: Int64) -> DisplaySource? {
        state.withLock { state in
            if state.change != change { state = State(change: change) }
            return state.sources[key]
        }
    }

    /// Stored renditions may be removed without a change of the library, because they can be re-rendered.
    private func isThere(_ source: DisplaySource) -> Bool {
        source.isOriginal || source.key.file.map(library.containsBlob) ?? false
    }
}
