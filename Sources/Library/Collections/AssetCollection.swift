// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// An immutable snapshot of an album, a smart album, a moment or a transient collection.
///
/// It does not contain its assets; fetch them with ``Asset/fetchAssets(in:library:options:)``. To
/// change an album, create an ``AssetCollectionChangeRequest`` inside
/// ``PhotoLibrary/performChanges(_:)``.
public struct AssetCollection: Hashable, Sendable, Identifiable {
    /// The identifier, unique in the library. For an album, it is a lower-case UUID that never
    /// changes. For a smart album, it is the same in all libraries. For a moment, it consists of
    /// its day and its first asset.
    public let localIdentifier: String
    /// The title, which is not necessarily unique.
    public let title: String
    /// The kind of collection: album, smart album, moment or transient.
    public let type: AssetCollectionType
    /// The specific kind of album or smart album; `any` for a moment and a transient collection.
    public let subtype: AssetCollectionSubtype
    /// The number of assets at the time of the fetch, including hidden ones but not those in the
    /// trash; nil if they were not counted, as for a smart album.
    public let estimatedAssetCount: Int?
    // Decision 23: albums have no dates.
    /// The capture date of a moment's first asset; nil for other collections.
    public let startDate: Date?
    /// The capture date of a moment's last asset; nil for other collections.
    public let endDate: Date?
    /// The approximate location of a moment, or nil if it is unknown.
    public let approximateLocation: Location?
    /// The identifier of the folder that contains an album, or nil at the top level.
    public let parentLocalIdentifier: String?
    /// The identifier of the cover chosen by the user for an album, or nil.
    public let keyAssetLocalIdentifier: String?
    /// True if only the identifier is valid, because the collection was deleted before a
    /// ``FetchResult`` read it.
    public let isRemoved: Bool

    /// The source of the collection's assets.
    let members: Members

    /// The source of a collection's assets.
    enum Members: Hashable, Sendable {
        /// The album with this row ID.
        case album(Int64)
        /// The condition of the subtype.
        case smart
        /// The row IDs of a moment's assets.
        case rows([Int64])
        /// The identifiers of a transient collection's assets, in order.
        case identifiers([String])
    }

    /// The local identifier, for `Identifiable`.
    public var id: String { localIdentifier }
    /// The value of ``type`` under PhotoKit's name.
    public var assetCollectionType: AssetCollectionType { type }
    /// The value of ``subtype`` under PhotoKit's name.
    public var assetCollectionSubtype: AssetCollectionSubtype { subtype }
    /// True if the collection can contain assets: always true.
    public var canContainAssets: Bool { true }
    /// True if the collection can contain collections: always false.
    public var canContainCollections: Bool { false }
}
