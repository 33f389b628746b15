// SPDX-License-Identifier: Apache-2.0

/// The filter, order and limit of an asset fetch.
public struct FetchOptions: Hashable, Sendable {
    /// The condition that assets must meet; nil for all assets that the other options include.
    public var predicate: AssetPredicate?
    /// The sort order: by the first descriptor, then by the second, and so on. Ties are broken by
    /// the order in which assets were added to the library, so the result is deterministic. This
    /// order is reversed if the first descriptor is descending. Nil is the default order: by
    /// creation date, the earliest camera clock first. For an album, it is the album's own order.
    public var sortDescriptors: [AssetSortDescriptor]?
    /// The maximum number of assets; 0 for no limit.
    public var fetchLimit = 0
    /// True if hidden assets are included.
    public var includeHiddenAssets = false
    /// True if assets in the trash are included.
    public var includeTrashedAssets = false
    /// True if all photos of a burst are included. By default, only its representative and the
    /// user's picks are.
    public var includeAllBurstAssets = false
    /// The sources of the assets to include.
    public var includeAssetSourceTypes: AssetSourceType = .userLibrary

    /// True if changes to the result are reported individually; see
    /// ``Change/changeDetails(for:)-(FetchResult<Element>)``.
    public var wantsIncrementalChangeDetails = true

    /// Creates options that match all visible assets of the user's own library, the earliest first.
    public init() {}

    /// Options that match all assets outside the trash, including hidden ones, all burst photos and
    /// all sources.
    package static var everything: FetchOptions {
        var options = FetchOptions()
        options.includeEverything()
        return options
    }

    /// Includes all assets outside the trash, and keeps the predicate, the order and the limit.
    mutating func includeEverything() {
        includeHiddenAssets = true
        includeAllBurstAssets = true
        includeAssetSourceTypes = AssetSourceType(rawValue: -1)
    }
}
