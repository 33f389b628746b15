// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The filter, order and limit of a collection fetch.
///
/// ```swift
/// var options = CollectionFetchOptions()
/// options.predicate = .estimatedAssetCount(.greaterThan(0))
/// options.sortDescriptors = [CollectionSortDescriptor(.localizedTitle)]
/// ```
public struct CollectionFetchOptions: Hashable, Sendable {
    /// The condition that collections must meet; nil for all collections.
    public var predicate: CollectionPredicate?
    /// The sort order: by the first descriptor, then by the second, and so on. Ties are broken by
    /// creation order for albums and folders, by listing order for smart albums, and by day for
    /// moments. These orders are reversed if the first descriptor is descending. Nil for the
    /// fetch's default order.
    public var sortDescriptors: [CollectionSortDescriptor]?
    /// The maximum number of collections; 0 for no limit.
    public var fetchLimit = 0
    /// Whether changes to the result are reported individually; see
    /// ``Change/changeDetails(for:)-(FetchResult<Element>)``.
    public var wantsIncrementalChangeDetails = true

    /// Creates options that match all collections, in the fetch's default order.
    public init() {}
}

/// A type-safe condition on albums, folders, smart albums and moments.
///
/// A comparison with a missing value, such as the asset count of a folder, is false; its negation
/// with `not` is true.
public indirect enum CollectionPredicate: Hashable, Sendable {
    /// True if all conditions are true. An empty list is true.
    case and([CollectionPredicate])
    /// True if at least one condition is true. An empty list is false.
    case or([CollectionPredicate])
    /// True if the condition is false.
    case not(CollectionPredicate)

    /// Compares a text property.
    case text(TextKey, AssetPredicate.TextTest)
    /// Compares a date, with microsecond precision. Only moments have dates.
    case date(DateKey, AssetPredicate.ValueTest<Date>)
    /// Compares the number of assets of an album or a moment, including hidden ones. Smart albums
    /// are not counted, and folders have no assets.
    case estimatedAssetCount(AssetPredicate.ValueTest<Int>)

    /// The text properties of a collection that a predicate can compare.
    public enum TextKey: String, Hashable, Sendable, CaseIterable {
        /// The local identifier of the collection.
        case localIdentifier
        /// The title as it is displayed.
        case localizedTitle
    }

    /// The dates of a moment that a predicate can compare.
    public enum DateKey: String, Hashable, Sendable, CaseIterable {
        /// The capture date of its first asset.
        case startDate
        /// The capture date of its last asset.
        case endDate
    }
}

/// A sort key of a collection fetch and its direction. The encoded form has the keys `key`, the
/// name of the case, and `isAscending`.
public struct CollectionSortDescriptor: Codable, Hashable, Sendable {
    /// The properties that collections can be sorted by.
    public enum Key: String, Hashable, Sendable, CaseIterable {
        /// The displayed title, by code point, ignoring the case of ASCII letters.
        case localizedTitle
        /// The capture date of a moment's first asset.
        case startDate
        /// The capture date of a moment's last asset.
        case endDate
        /// The number of assets of an album or a moment.
        case estimatedAssetCount
    }

    /// The property to sort by. Collections without a value come last, or first when descending.
    public var key: Key
    /// Whether the least or earliest value comes first.
    public var isAscending: Bool

    /// Creates a descriptor that sorts by a property.
    public init(_ key: Key, isAscending: Bool = true) {
        self.key = key
        self.isAscending = isAscending
    }
}
