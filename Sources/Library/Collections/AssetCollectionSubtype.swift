// SPDX-License-Identifier: Apache-2.0

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
    /// What the user hid.
    case smartAlbumAllHidden = 205
    /// What came into the library in the last 30 days, the newest first.
    case smartAlbumRecentlyAdded = 206
    /// One picture of each burst: the one that stands for it.
    case smartAlbumBursts = 207
    /// Everything of the user's own library.
    case smartAlbumUserLibrary = 209
    /// Pictures of a screen.
    case smartAlbumScreenshots = 211
    /// Everything that differs from its original by edits.
    case smartAlbumEdited = 1001
    /// Any; of collections that have no subtype, too.
    case any = 9_223_372_036_854_775_807
}
