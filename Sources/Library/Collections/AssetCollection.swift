// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// An album, a smart album, a moment or a transient collection, as it was when it was fetched.
///
/// It never changes after it was fetched, and does not hold its assets: those are fetched with
/// ``Asset/fetchAssets(in:library:options:)``. To alter an album, make an
/// ``AssetCollectionChangeRequest`` inside ``PhotoLibrary/performChanges(_:)``.
public struct AssetCollection: Hashable, Sendable, Identifiable {
    /// The identifier: unique in the library. An album's is a lower-case UUID, and the same for
    /// ever; a smart album's is the same in all libraries; a moment's is that of its day and its
    /// first asset.
    public let localIdentifier: String
    /// The title. Several albums may have the same.
    public let title: String
    /// What it is.
    public let type: AssetCollectionType
    /// What it is, more closely; `any` for a moment and a transient collection.
    public let subtype: AssetCollectionSubtype
    /// How many assets it had when it was fetched, hidden ones too; nil where nobody has counted
    /// them, as in a smart album.
    public let estimatedAssetCount: Int?
    // Decision 23: albums have no dates.
    /// When the first asset of a moment was taken; nil for other collections.
    public let startDate: Date?
    /// When the last asset of a moment was taken; nil for other collections.
    public let endDate: Date?
    /// About where the assets of a moment were taken; nil where that is not known.
    public let approximateLocation: Location?
    /// The identifier of the folder that an album lies in; nil at the top.
    public let parentLocalIdentifier: String?
    /// The identifier of the cover that the user chose for an album.
    public let keyAssetLocalIdentifier: String?
    /// Whether nothing of it is known but its identifier: it had been deleted when a
    /// ``FetchResult`` came to read it.
    public let isRemoved: Bool

    /// Where its assets are found.
    let members: Members

    /// Where the assets of a collection are found.
    enum Members: Hashable, Sendable {
        /// In the album of this row.
        case album(Int64)
        /// By the subtype's condition.
        case smart
        /// In a moment, by their rows' numbers.
        case rows([Int64])
        /// By their identifiers, in this order.
        case identifiers([String])
    }

    /// The identifier again, for `Identifiable`.
    public var id: String { localIdentifier }
    /// PhotoKit's name of ``type``.
    public var assetCollectionType: AssetCollectionType { type }
    /// PhotoKit's name of ``subtype``.
    public var assetCollectionSubtype: AssetCollectionSubtype { subtype }
    /// Whether there can be assets in it: always.
    public var canContainAssets: Bool { true }
    /// Whether there can be collections in it: never.
    public var canContainCollections: Bool { false }
}

/// What a collection of assets is. The raw values are those of PhotoKit's
/// `PHAssetCollectionType`, which has no number for `transient`.
public enum AssetCollectionType: Int, Hashable, Sendable, CaseIterable {
    /// Made by the user: the assets that were put into it, in the user's order.
    case album = 1
    /// Whatever meets a condition, at any time.
    case smartAlbum = 2
    /// What was taken on one day at one place.
    case moment = 3
    /// Made by a program for itself; the library does not know it.
    case transient = 4

    /// The case's name.
    public var name: String { String(describing: self) }
}

/// What a collection of assets is, more closely. The raw values are those of PhotoKit's
/// `PHAssetCollectionSubtype`, which has none for `smartAlbumEdited`.
public enum AssetCollectionSubtype: Int, Hashable, Sendable, CaseIterable {
    /// An album that the user made.
    case albumRegular = 2
    /// Panoramas.
    case smartAlbumPanoramas = 201
    /// Videos.
    case smartAlbumVideos = 202
    /// The user's favourites.
    case smartAlbumFavorites = 203
    /// Time-lapse videos.
    case smartAlbumTimelapses = 204
    /// What the user hid.
    case smartAlbumAllHidden = 205
    /// What came into the library in the last 30 days, the newest first.
    case smartAlbumRecentlyAdded = 206
    /// One picture of each burst: the one that stands for it.
    case smartAlbumBursts = 207
    /// Videos with a high frame rate.
    case smartAlbumSlomoVideos = 208
    /// Everything of the user's own library.
    case smartAlbumUserLibrary = 209
    /// What was taken with a front camera, by the name of its lens.
    case smartAlbumSelfPortraits = 210
    /// Pictures of a screen.
    case smartAlbumScreenshots = 211
    /// Portraits with a depth effect.
    case smartAlbumDepthEffect = 212
    /// Live Photos.
    case smartAlbumLivePhotos = 213
    /// Animated pictures.
    case smartAlbumAnimated = 214
    /// What was exposed for a second or longer.
    case smartAlbumLongExposures = 215
    /// RAW files, and pictures with one beside them.
    case smartAlbumRAW = 217
    /// Cinematic videos.
    case smartAlbumCinematic = 218
    /// Everything that differs from its original by edits.
    case smartAlbumEdited = 1001
    /// Any; of collections that have no subtype, too.
    case any = 9_223_372_036_854_775_807
}
