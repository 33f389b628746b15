// SPDX-License-Identifier: Apache-2.0

import Library
import Synchronization

/// What versions of assets are drawn from, for as long as nobody changes the library: finding it out takes
/// several queries, and whoever scrolls asks for the same again and again.
final class ImageSources: Sendable {
    private struct Key: Hashable {
        let assetIdentifier: String
        let version: ImageRequestOptionsVersion
    }

    private struct State {
        /// The number of the library's last change when the sources were found out.
        var change: Int64?
        var sources: [Key: ImageSource] = [:]
    }

    /// How many are kept; then all are forgotten.
    private static let limit = 10_000

    private let library: PhotoLibrary
    private let state = Mutex(State())

    init(of library: PhotoLibrary) { self.library = library }

    /// What a version of an asset is drawn from, as the library is now.
    ///
    /// - Parameter find: finds it out.
    /// - Throws: `LibraryError`, and what `find` throws.
    func source(
        ofAsset identifier: String, _ version: ImageRequestOptionsVersion,
        _ find: () throws -> ImageSource
    ) throws -> ImageSource {
        // Before the source is found out: a change in between makes it expire, and not last.
        let change = try library.lastChangeNumber
        let key = Key(assetIdentifier: identifier, version: version)
        if let known = known(key, change), isThere(known) { return known }
        let source = try find()
        // What has to be rendered depends on the extensions that are installed, too.
        guard source.key.file != nil else { return source }
        state.withLock { state in
            guard state.change == change else { return }
            if state.sources.count >= Self.limit { state.sources = [:] }
            state.sources[key] = source
        }
        return source
    }

    private func known(_ key: Key, _ change: Int64) -> ImageSource? {
        state.withLock { state in
            if state.change != change { state = State(change: change) }
            return state.sources[key]
        }
    }

    /// Stored renditions can be removed without a change: they can be made again.
    private func isThere(_ source: ImageSource) -> Bool {
        source.isOriginal || source.key.file.map(library.containsBlob) ?? false
    }
}
