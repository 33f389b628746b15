// SPDX-License-Identifier: Apache-2.0

import Library

extension PhotoLibrary {
    /// Changes the named assets in one transaction, and returns their new state.
    ///
    /// - Throws: `LibraryError`. Nothing is changed in this case.
    func change(
        _ names: [String], _ body: (AssetChangeRequest) throws -> Void
    ) throws -> [Asset] {
        let assets = try assets(named: names)
        try performChanges {
            for asset in assets { try body(AssetChangeRequest(for: asset)) }
        }
        return try assets.map { try asset(withLocalIdentifier: $0.localIdentifier) }
    }

    /// Returns the named assets without duplicates, in the order given.
    ///
    /// - Throws: `LibraryError` with the code `noSuchAsset` or `ambiguousIdentifier`.
    func assets(named names: [String]) throws -> [Asset] {
        try identifiers(named: names).map { try asset(withLocalIdentifier: $0) }
    }
}
