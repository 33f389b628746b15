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
        let identifiers = try await identifiers(in: library, named: names)
        if identifiers.isEmpty, !areNamed { general.output.message("no photos are selected") }
        return try identifiers.map { try library.asset(withLocalIdentifier: $0) }
    }

    private struct NamedAsset: AssetReference {
        let localIdentifier: String
    }
}
