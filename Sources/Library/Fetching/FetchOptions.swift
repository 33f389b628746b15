// SPDX-License-Identifier: Apache-2.0

/// Which assets a fetch gives, and in which order.
public struct FetchOptions: Hashable, Sendable {
    /// Which assets; nil for all that the other options let through.
    public var predicate: AssetPredicate?
    /// What to sort by: by the first, where that is equal by the second, and so on. Where all are
    /// equal, assets come in the order in which they came into the library, backwards where the
    /// first descriptor is descending; so the order is always the same. Nil for the usual order:
    /// by creation date, the earliest by the cameras' clocks first; in an album, the album's own.
    public var sortDescriptors: [AssetSortDescriptor]?
    /// The greatest number of assets; 0 for no limit.
    public var fetchLimit = 0
    /// Whether hidden assets are given too.
    public var includeHiddenAssets = false
    /// Whether all pictures of a burst are given, and not only the one that stands for it and
    /// those that the user picked.
    public var includeAllBurstAssets = false
    /// Where assets may have come from.
    public var includeAssetSourceTypes: AssetSourceType = .userLibrary

    /// Whether changes of the result are to be told one by one; see
    /// ``Change/changeDetails(for:)-(FetchResult<Element>)``.
    public var wantsIncrementalChangeDetails = true

    /// All visible assets of the user's own library, the earliest first.
    public init() {}

    /// Everything there is, hidden, of bursts, and from anywhere.
    package static var everything: FetchOptions {
        var options = FetchOptions()
        options.includeEverything()
        return options
    }

    /// Leaves the predicate, the order and the limit as they are.
    mutating func includeEverything() {
        includeHiddenAssets = true
        includeAllBurstAssets = true
        includeAssetSourceTypes = AssetSourceType(rawValue: -1)
    }
}

/// One of the things that a fetch sorts by. Encoded, it has the keys `key`, the name of the case, and
/// `isAscending`.
public struct AssetSortDescriptor: Codable, Hashable, Sendable {
    /// What assets can be sorted by.
    public enum Key: String, Hashable, Sendable, CaseIterable {
        /// When they were taken, by the cameras' clocks, whether a file says how far its clock was from
        /// UTC or not; where that is equal or not known, the time of the file.
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
        /// What they are, by the numbers of ``MediaType``: photographs, then videos, then sounds.
        case mediaType
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
        case .mediaType: [term("media_type")]
        }
    }

    private func term(_ column: String) -> SortTerm {
        SortTerm(column: column, isAscending: isAscending)
    }
}
