// SPDX-License-Identifier: Apache-2.0

/// A sort key of a fetch and its direction. The encoded form has the keys `key`, the name of the
/// case, and `isAscending`.
public struct AssetSortDescriptor: Codable, Hashable, Sendable {
    /// The properties that assets can be sorted by.
    public enum Key: String, Hashable, Sendable, CaseIterable {
        /// The date of capture by the camera's clock, with or without a known time zone offset.
        /// Ties and missing dates are resolved by the file's modification date.
        case creationDate
        /// The date at which the asset was added to the library.
        case addedDate
        /// The date of the last change of the asset's content or metadata.
        case modificationDate
        /// The date at which the asset was moved to the trash.
        case trashedDate
        /// The filename, by code point, ignoring the case of ASCII letters.
        case originalFilename
        /// The width of the current version.
        case pixelWidth
        /// The height of the current version.
        case pixelHeight
        /// The duration in seconds.
        case duration
        /// The favourite flag; favourites come last.
        case isFavorite
        /// The media type by its raw value: photos, then videos, then audio.
        case mediaType
        /// The rating: rejected assets, then those without a rating, then by stars.
        case rating
    }

    /// The property to sort by. Assets without a date come last, or first when descending.
    public var key: Key
    /// True if the least or earliest value comes first.
    public var isAscending: Bool

    /// Creates a descriptor that sorts by a property.
    public init(_ key: Key, isAscending: Bool = true) {
        self.key = key
        self.isAscending = isAscending
    }

    /// The SQL terms of the order.
    var terms: [SortTerm] {
        switch key {
        case .creationDate: [term("sort_date"), term("sort_file_date")]
        case .addedDate: [term("added_date")]
        case .modificationDate: [term("modification_date")]
        case .trashedDate: [term("ifnull(trashed_date, \(Int64.max))")]
        case .originalFilename:
            [SortTerm(column: "original_filename", isAscending: isAscending, ignoresCase: true)]
        case .pixelWidth: [term("pixel_width")]
        case .pixelHeight: [term("pixel_height")]
        case .duration: [term("duration")]
        case .isFavorite: [term("is_favorite")]
        case .mediaType: [term("media_type")]
        // No rating is between rejected (-1) and 0 stars.
        case .rating: [term("coalesce(rating * 2, -1)")]
        }
    }

    private func term(_ column: String) -> SortTerm {
        SortTerm(column: column, isAscending: isAscending)
    }
}
