// SPDX-License-Identifier: Apache-2.0

import Library

/// The body of a request for a view: a fetch, in the JSON of docs/reference/predicates.md.
struct ViewRequest: Decodable, Sendable {
    /// The identifier or name of an album, a smart album or a moment; nil for the whole library.
    var album: String?
    /// The condition that assets must meet.
    var predicate: AssetPredicate?
    /// The sort descriptors; nil for the default order, or that of the album.
    var sort: [AssetSortDescriptor]?
    /// A text in the filename, title, description, label or a keyword.
    var search: String?
    /// Whether hidden assets are included.
    var hidden: Bool?
    /// Whether all photos of a burst are included.
    var allOfBursts: Bool?
    /// Whether only assets with missing originals are included.
    var missing: Bool?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case album, predicate, sort, search, hidden, allOfBursts, missing
    }

    init(from decoder: any Decoder) throws {
        try UnknownKeys.reject(decoder, known: CodingKeys.allCases.map(\.rawValue))
        let values = try decoder.container(keyedBy: CodingKeys.self)
        album = try values.decodeIfPresent(String.self, forKey: .album)
        predicate = try values.decodeIfPresent(AssetPredicate.self, forKey: .predicate)
        sort = try values.decodeIfPresent([AssetSortDescriptor].self, forKey: .sort)
        search = try values.decodeIfPresent(String.self, forKey: .search)
        hidden = try values.decodeIfPresent(Bool.self, forKey: .hidden)
        allOfBursts = try values.decodeIfPresent(Bool.self, forKey: .allOfBursts)
        missing = try values.decodeIfPresent(Bool.self, forKey: .missing)
    }

    /// Fetches the assets.
    ///
    /// - Throws: `LibraryError`.
    func fetch(in library: PhotoLibrary) throws -> FetchResult<Asset> {
        var options = FetchOptions()
        options.includeHiddenAssets = hidden ?? false
        options.includeAllBurstAssets = allOfBursts ?? false
        options.sortDescriptors = sort
        let conditions = try conditions(in: library)
        options.predicate = conditions.isEmpty ? nil : .and(conditions)
        guard let album else { return try Asset.fetchAssets(in: library, options: options) }
        let collection = try library.assetCollection(named: album)
        return try Asset.fetchAssets(in: collection, library: library, options: options)
    }

    private func conditions(in library: PhotoLibrary) throws -> [AssetPredicate] {
        var conditions: [AssetPredicate] = []
        if let predicate { conditions.append(predicate) }
        if let search, !search.isEmpty { conditions.append(.anyText(contains: search)) }
        if missing == true {
            conditions.append(
                .text(.localIdentifier, .oneOf(try library.identifiersOfAssetsAway())))
        }
        return conditions
    }
}
