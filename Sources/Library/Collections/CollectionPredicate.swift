// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

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
