// SPDX-License-Identifier: Apache-2.0

import Library
import Synchronization

/// A cache of the sources of versions. Finding a source takes several queries, and scrolling requests the same sources
/// repeatedly.
///
/// A source is valid while the content key of its asset is the same, so changes of other assets and of metadata leave
/// it in the cache.
final class DisplaySourceCache: Sendable {
    private struct Key: Hashable {
        let assetIdentifier: String
        let version: ImageRequestOptionsVersion
        let state: AssetImageState?
    }

    private struct Entry {
        let content: ContentKey
        let source: DisplaySource
    }

    /// The maximum number of cached sources. Beyond it, the cache is emptied.
    private static let limit = 10_000

    private let library: PhotoLibrary
    private let entries = Mutex<[Key: Entry]>([:])

    init(of library: PhotoLibrary) { self.library = library }

    /// Returns the current source of a version of an asset.
    ///
    /// - Parameter find: Finds a source that is not cached.
    /// - Throws: `LibraryError`, and errors thrown by `find`.
    func source(
        ofAsset identifier: String, _ version: ImageRequestOptionsVersion,
        _ imageState: AssetImageState? = nil, _ find: () throws -> DisplaySource
    ) throws -> DisplaySource {
        // The content key is read first, so that a change while the source is being found invalidates it.
        let content = try library.contentKey(ofAsset: identifier)
        let key = Key(assetIdentifier: identifier, version: version, state: imageState)
        let known = entries.withLock { $0[key] }
        if let known, known.content == content, exists(known.source) { return known.source }
        let source = try find()
        // A state that must be rendered also depends on the installed extensions, so it is not cached.
        guard source.key.file != nil else { return source }
        entries.withLock { entries in
            if entries.count >= Self.limit { entries = [:] }
            entries[key] = Entry(content: content, source: source)
        }
        return source
    }

    /// Whether the file of a source exists. Stored renditions may be removed without a change of the library, because
    /// they can be re-rendered.
    private func exists(_ source: DisplaySource) -> Bool {
        source.isOriginal || source.key.file.map(library.containsBlob) ?? false
    }
}
