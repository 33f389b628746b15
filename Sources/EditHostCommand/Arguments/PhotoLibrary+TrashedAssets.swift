// SPDX-License-Identifier: Apache-2.0

import Foundation
import Library

extension PhotoLibrary {
    /// Fetches the assets in the trash, the one deleted last first.
    ///
    /// - Parameter date: Only assets deleted before this date are fetched; nil for all.
    /// - Throws: `LibraryError`.
    func trashedAssets(before date: Date? = nil) throws -> FetchResult<Asset> {
        var options = FetchOptions.everything
        options.includeTrashedAssets = true
        options.predicate = .date(.trashed, date.map { .lessThan($0) } ?? .atLeast(.distantPast))
        options.sortDescriptors = [AssetSortDescriptor(.trashedDate, isAscending: false)]
        return try Asset.fetchAssets(in: self, options: options)
    }

    /// Returns the assets in the trash with these names, without duplicates, in the order given.
    ///
    /// - Throws: `LibraryError` with the code `noSuchAsset` or `ambiguousIdentifier`.
    func trashedAssets(named names: [String]) throws -> [Asset] {
        var seen: Set<String> = []
        return try names.map { try trashedAsset(withIdentifierPrefix: $0) }
            .filter { seen.insert($0.localIdentifier).inserted }
    }
}
