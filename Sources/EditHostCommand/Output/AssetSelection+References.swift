// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension AssetSelection {
    /// Returns the assets without duplicates.
    ///
    /// - Throws: `LibraryError` with the code `noSuchAsset` or `ambiguousIdentifier`.
    func references(in library: PhotoLibrary) async throws -> [any AssetReference] {
        try await identifiers(in: library).map(NamedAsset.init)
    }

    /// Returns the assets in their current state, without duplicates. If no asset matches the filters, a message says
    /// so.
    ///
    /// - Parameter names: The value of ``names``.
    /// - Throws: `LibraryError` with the code `noSuchAsset` or `ambiguousIdentifier`.
    func assets(
        in library: PhotoLibrary, named names: [String]?, _ general: GeneralOptions
    ) async throws -> [Asset] {
        try await identifiers(in: library, named: names, general).map {
            try library.asset(withLocalIdentifier: $0)
        }
    }

    /// Returns the identifiers of the assets, like ``assets(in:named:_:)``. Those of a large library need much less
    /// memory than the assets.
    func identifiers(
        in library: PhotoLibrary, named names: [String]?, _ general: GeneralOptions
    ) async throws -> [String] {
        let identifiers = try await identifiers(in: library, named: names)
        if identifiers.isEmpty, !areNamed { general.output.message("no photos are selected") }
        return identifiers
    }

    private struct NamedAsset: AssetReference {
        let localIdentifier: String
    }
}
