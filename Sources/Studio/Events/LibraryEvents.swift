// SPDX-License-Identifier: Apache-2.0

import JSONOutput
import Library

/// The events about assets and collections, independent of views.
enum LibraryEvents {
    /// Returns the events of a change.
    ///
    /// - Parameter extensionBuilds: The builds of the installed extensions, for content keys.
    /// - Throws: `LibraryError` if the library cannot be read.
    static func events(of change: Change, _ extensionBuilds: String) throws -> [StudioEvent] {
        let collections = try collectionEvent(change)
        let assets = try assetEvent(change, extensionBuilds, isLast: collections == nil)
        return [assets, collections].compactMap(\.self)
    }

    private static func assetEvent(
        _ change: Change, _ extensionBuilds: String, isLast: Bool
    ) throws -> StudioEvent? {
        let details = change.persistentChange.changeDetails(for: .asset)
        let changed = details.insertedLocalIdentifiers.union(details.updatedLocalIdentifiers)
        guard !changed.isEmpty || !details.deletedLocalIdentifiers.isEmpty else { return nil }
        let keys = try change.library.contentKeys(
            ofAssets: changed, seed: StudioRoutes.seed, extensions: extensionBuilds)
        return try StudioEvent(
            .assets, token: change.token, isLast: isLast,
            [
                "changed": keys.sorted { $0.key < $1.key }.map {
                    ["id": $0.key, "key": $0.value.description] as JSONRow
                },
                "removed": details.deletedLocalIdentifiers.sorted(),
            ])
    }

    private static func collectionEvent(_ change: Change) throws -> StudioEvent? {
        let details = change.persistentChange.changeDetails(for: .collection)
        let changed = details.insertedLocalIdentifiers.union(details.updatedLocalIdentifiers)
        guard !changed.isEmpty || !details.deletedLocalIdentifiers.isEmpty else { return nil }
        return try StudioEvent(
            .collections, token: change.token, isLast: true,
            ["changed": changed.sorted(), "removed": details.deletedLocalIdentifiers.sorted()])
    }
}
