// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

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
    /// True if the least or earliest value comes first.
    public var isAscending: Bool

    /// Creates a descriptor that sorts by a property.
    public init(_ key: Key, isAscending: Bool = true) {
        self.key = key
        self.isAscending = isAscending
    }
}
