// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The photographs of a command that changes facts about them, as one change: all or none.
struct ChangedAssets: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The assets' identifiers, or unique beginnings of them.", valueName: "id"),
        completion: .asset)
    var ids: [String]

    /// Asks for the same change to each, commits them together, and gives the assets as they are
    /// then.
    ///
    /// - Throws: `LibraryError`; nothing has been changed then.
    func change(
        in library: PhotoLibrary, _ body: (AssetChangeRequest) throws -> Void
    ) throws -> [Asset] {
        let assets = try assets(in: library)
        try library.performChanges {
            for asset in assets { try body(AssetChangeRequest(for: asset)) }
        }
        return try assets.map { try library.asset(withLocalIdentifier: $0.localIdentifier) }
    }

    /// The assets, each once, in the order named.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset` or `ambiguousIdentifier`.
    func assets(in library: PhotoLibrary) throws -> [Asset] {
        try library.identifiers(named: ids).map { try library.asset(withLocalIdentifier: $0) }
    }
}
