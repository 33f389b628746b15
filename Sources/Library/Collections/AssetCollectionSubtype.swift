// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// A specific kind of album or smart album. The raw values are those of PhotoKit's
/// `PHAssetCollectionSubtype`, which has no value for `smartAlbumEdited` and no name for
/// `smartAlbumRecentlyDeleted`.
public enum AssetCollectionSubtype: Int, Hashable, Sendable, CaseIterable {
    /// An album made by the user.
    case albumRegular = 2
    /// All panoramas.
    case smartAlbumPanoramas = 201
    /// All videos.
    case smartAlbumVideos = 202
    /// All favourites of the user.
    case smartAlbumFavorites = 203
    /// All time-lapse videos.
    case smartAlbumTimelapses = 204
    /// All assets hidden by the user.
    case smartAlbumAllHidden = 205
    /// All assets added to the library in the last 30 days, the newest first.
    case smartAlbumRecentlyAdded = 206
    /// The representative of each burst.
    case smartAlbumBursts = 207
    /// All videos with a high frame rate.
    case smartAlbumSlomoVideos = 208
    /// All assets of the user's own library.
    case smartAlbumUserLibrary = 209
    /// All photos taken with a front camera, by the name of the lens.
    case smartAlbumSelfPortraits = 210
    /// All screenshots.
    case smartAlbumScreenshots = 211
    /// All portraits with a depth effect.
    case smartAlbumDepthEffect = 212
    /// All Live Photos.
    case smartAlbumLivePhotos = 213
    /// All animated images.
    case smartAlbumAnimated = 214
    /// All photos with an exposure time of at least one second.
    case smartAlbumLongExposures = 215
    /// All RAW files, and photos with a RAW file beside them.
    case smartAlbumRAW = 217
    /// All cinematic videos.
    case smartAlbumCinematic = 218
    /// All assets that differ from their originals by edits.
    case smartAlbumEdited = 1001
    /// All assets in the trash, the one deleted last first.
    case smartAlbumRecentlyDeleted = 1_000_000_201
    /// Any subtype, and the value of collections without one.
    case any = 9_223_372_036_854_775_807
}
