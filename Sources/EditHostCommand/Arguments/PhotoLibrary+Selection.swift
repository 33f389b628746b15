// SPDX-License-Identifier: Apache-2.0

import Library

extension PhotoLibrary {
    /// Returns the asset with the given identifier or unique prefix of one.
    ///
    /// - Throws: `LibraryError` with the code `noSuchAsset` or `ambiguousIdentifier`.
    func asset(named name: String) throws -> Asset {
        guard name != "-" else {
            throw LibraryError(
                .noSuchAsset,
                "\"-\" (standard input) is not accepted here; give the identifier of a photo")
        }
        return try asset(withIdentifierPrefix: name)
    }

    /// Returns the identifiers of the named assets without duplicates, in the order given.
    ///
    /// - Throws: `LibraryError` with the code `noSuchAsset` or `ambiguousIdentifier`.
    func identifiers(named names: [String]) throws -> [String] {
        var seen: Set<String> = []
        return try names.map { try asset(withIdentifierPrefix: $0).localIdentifier }
            .filter { seen.insert($0).inserted }
    }
}
