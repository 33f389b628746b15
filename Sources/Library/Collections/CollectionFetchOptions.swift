// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Which collections a fetch gives, and in which order.
///
/// ```swift
/// var options = CollectionFetchOptions()
/// options.predicate = .estimatedAssetCount(.greaterThan(0))
/// options.sortDescriptors = [CollectionSortDescriptor(.localizedTitle)]
/// ```
public struct CollectionFetchOptions: Hashable, Sendable {
    /// Which collections; nil for all.
    public var predicate: CollectionPredicate?
    /// What to sort by: by the first, where that is equal by the second, and so on. Where all are
    /// equal, albums and folders come in the order in which they were made, smart albums in their
    /// own, moments by their days; backwards where the first descriptor is descending. Nil for the
    /// fetch's own order.
    public var sortDescriptors: [CollectionSortDescriptor]?
    /// The greatest number of collections; 0 for no limit.
    public var fetchLimit = 0
    /// Whether changes of the result are to be told one by one; see
    /// ``Change/changeDetails(for:)-(FetchResult<Element>)``.
    public var wantsIncrementalChangeDetails = true

    /// All collections, in the fetch's own order.
    public init() {}
}

/// A condition on albums, folders, smart albums and moments.
///
/// A condition on what a collection does not have, such as the number of assets of a folder, is not
/// met, and `not` of it is.
public indirect enum CollectionPredicate: Hashable, Sendable {
    /// All of them are met; with none, always.
    case and([CollectionPredicate])
    /// At least one of them is met; with none, never.
    case or([CollectionPredicate])
    /// It is not met.
    case not(CollectionPredicate)

    /// One of its texts.
    case text(TextKey, AssetPredicate.TextTest)
    /// One of its dates, to the microsecond. Only moments have dates.
    case date(DateKey, AssetPredicate.ValueTest<Date>)
    /// How many assets it has, hidden ones too: of an album and a moment. Smart albums are not
    /// counted, and folders have none.
    case estimatedAssetCount(AssetPredicate.ValueTest<Int>)

    /// The texts of a collection.
    public enum TextKey: String, Hashable, Sendable, CaseIterable {
        /// The identifier.
        case localIdentifier
        /// The title as it is shown.
        case localizedTitle
    }

    /// The dates of a moment.
    public enum DateKey: String, Hashable, Sendable, CaseIterable {
        /// When its first asset was taken.
        case startDate
        /// When its last asset was taken.
        case endDate
    }
}

/// One of the things that a fetch of collections sorts by. Encoded, it has the keys `key`, the name of
/// the case, and `isAscending`.
public struct CollectionSortDescriptor: Codable, Hashable, Sendable {
    /// What collections can be sorted by.
    public enum Key: String, Hashable, Sendable, CaseIterable {
        /// The title as it is shown, by its characters' numbers, `A` to `Z` as `a` to `z`.
        case localizedTitle
        /// When the first asset of a moment was taken.
        case startDate
        /// When the last asset of a moment was taken.
        case endDate
        /// How many assets an album or a moment has.
        case estimatedAssetCount
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
}
