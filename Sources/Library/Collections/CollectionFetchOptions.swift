// SPDX-License-Identifier: Apache-2.0

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
    /// True if changes to the result are reported individually; see
    /// ``Change/changeDetails(for:)-(FetchResult<Element>)``.
    public var wantsIncrementalChangeDetails = true

    /// Creates options that match all collections, in the fetch's default order.
    public init() {}
}
