// SPDX-License-Identifier: Apache-2.0

/// One of the things that a fetch sorts by.
public struct AssetSortDescriptor: Hashable, Sendable {
    /// What assets can be sorted by.
    public enum Key: Hashable, Sendable, CaseIterable {
        /// When they were taken; where that is equal or not known, the time of the file.
        case creationDate
        /// When they came into the library.
        case addedDate
        /// When their content or metadata last changed.
        case modificationDate
        /// The names of the files, by their characters' numbers, `A` to `Z` as `a` to `z`.
        case originalFilename
        /// The current version's width.
        case pixelWidth
        /// The current version's height.
        case pixelHeight
        /// The length in seconds.
        case duration
        /// Favourites after others.
        case isFavorite
    }

    /// What to sort by. What has none comes last, or first when descending.
    public var key: Key
    /// Whether the least, or earliest, comes first.
    public var isAscending: Bool

    /// Sorts by a key.
    public init(_ key: Key, isAscending: Bool = true) {
        self.key = key
        self.isAscending = isAscending
    }

    /// The terms of the order.
    var terms: [SortTerm] {
        switch key {
        case .creationDate: [term("sort_date"), term("sort_file_date")]
        case .addedDate: [term("added_date")]
        case .modificationDate: [term("modification_date")]
        case .originalFilename:
            [SortTerm(column: "original_filename", isAscending: isAscending, ignoresCase: true)]
        case .pixelWidth: [term("pixel_width")]
        case .pixelHeight: [term("pixel_height")]
        case .duration: [term("duration")]
        case .isFavorite: [term("is_favorite")]
        }
    }

    private func term(_ column: String) -> SortTerm {
        SortTerm(column: column, isAscending: isAscending)
    }
}
