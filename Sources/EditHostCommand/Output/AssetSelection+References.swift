// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension AssetSelection {
    /// Returns the assets without duplicates.
    ///
    /// - Throws: `LibraryError` with the code `noSuchAsset` or `ambiguousIdentifier`.
    func references(in library: PhotoLibrary) throws -> [any AssetReference] {
        try identifiers(in: library).map(NamedAsset.init)
    }

    private struct NamedAsset: AssetReference {
        let localIdentifier: String
    }
}
