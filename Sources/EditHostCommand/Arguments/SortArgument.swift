// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel
import Library

/// A list of sort keys, most significant first.
struct SortArgument: ExpressibleByArgument {
    let descriptors: [AssetSortDescriptor]

    private static let keys: KeyValuePairs<String, AssetSortDescriptor.Key> = [
        "date": .creationDate, "added": .addedDate, "modified": .modificationDate,
        "name": .originalFilename, "width": .pixelWidth, "height": .pixelHeight,
        "duration": .duration, "favorite": .isFavorite, "rating": .rating,
    ]

    /// The names of the sort keys.
    static var names: [String] { keys.map(\.key) }

    /// Parses a comma-separated list of `KEY[:desc]`.
    init?(argument: String) {
        var descriptors: [AssetSortDescriptor] = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: ":", omittingEmptySubsequences: false)
            guard let key = Self.keys.first(where: { $0.key == words[0] })?.value,
                words.count == 1 || (words.count == 2 && ["asc", "desc"].contains(words[1]))
            else { return nil }
            descriptors.append(AssetSortDescriptor(key, isAscending: words.last != "desc"))
        }
        self.descriptors = descriptors
    }
}
