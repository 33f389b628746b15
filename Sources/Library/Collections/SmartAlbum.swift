// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The condition and the order of a smart album.
struct SmartAlbum: Sendable {
    let subtype: AssetCollectionSubtype
    let title: String
    /// Returns the condition on assets, in addition to the options of a fetch; nil for all assets.
    let condition: @Sendable () -> AssetPredicate?
    /// The order; nil for the default order.
    var order: [AssetSortDescriptor]?
    /// Whether the album contains hidden assets only.
    var isOfHidden = false
    /// Whether the album contains the assets in the trash.
    var isOfTrashed = false

    /// The age up to which an asset is recent, in seconds.
    private static let recentTime = 30.0 * 86_400
    /// The minimum of a long exposure, in seconds: longer than a camera can be held still by hand.
    private static let longExposure = 1.0

    /// All smart albums, in listing order.
    static let all = [
        SmartAlbum(subtype: .smartAlbumUserLibrary, title: "All") { nil },
        SmartAlbum(subtype: .smartAlbumFavorites, title: "Favorites") { .isFavorite },
        SmartAlbum(
            subtype: .smartAlbumRecentlyAdded, title: "Recently Added",
            condition: { .date(.added, .atLeast(Date().addingTimeInterval(-recentTime))) },
            order: [AssetSortDescriptor(.addedDate, isAscending: false)]),
        SmartAlbum(subtype: .smartAlbumVideos, title: "Videos") { .mediaType([.video]) },
        SmartAlbum(subtype: .smartAlbumSlomoVideos, title: "Slo-mo") {
            .mediaSubtypes(.videoHighFrameRate)
        },
        SmartAlbum(subtype: .smartAlbumTimelapses, title: "Time-lapse") {
            .mediaSubtypes(.videoTimelapse)
        },
        SmartAlbum(subtype: .smartAlbumCinematic, title: "Cinematic") {
            .mediaSubtypes(.videoCinematic)
        },
        SmartAlbum(subtype: .smartAlbumPanoramas, title: "Panoramas") {
            .mediaSubtypes(.photoPanorama)
        },
        SmartAlbum(subtype: .smartAlbumSelfPortraits, title: "Selfies") {
            .text(.lensModel, .contains("front "))
        },
        SmartAlbum(subtype: .smartAlbumScreenshots, title: "Screenshots") {
            .mediaSubtypes(.photoScreenshot)
        },
        SmartAlbum(subtype: .smartAlbumDepthEffect, title: "Portrait") {
            .mediaSubtypes(.photoDepthEffect)
        },
        SmartAlbum(subtype: .smartAlbumLivePhotos, title: "Live Photos") {
            .mediaSubtypes(.photoLive)
        },
        SmartAlbum(subtype: .smartAlbumAnimated, title: "Animated") { .mediaSubtypes(.animated) },
        SmartAlbum(subtype: .smartAlbumLongExposures, title: "Long Exposures") {
            .exposureTime(.atLeast(longExposure))
        },
        SmartAlbum(subtype: .smartAlbumRAW, title: "RAW") { .hasRAW },
        SmartAlbum(subtype: .smartAlbumBursts, title: "Bursts") { .representsBurst },
        SmartAlbum(subtype: .smartAlbumEdited, title: "Edited") { .hasAdjustments },
        SmartAlbum(
            subtype: .smartAlbumAllHidden, title: "Hidden", condition: { .isHidden },
            isOfHidden: true),
        SmartAlbum(
            subtype: .smartAlbumRecentlyDeleted, title: "Recently Deleted",
            condition: { .date(.trashed, .atLeast(.distantPast)) },
            order: [AssetSortDescriptor(.trashedDate, isAscending: false)], isOfTrashed: true),
    ]
}
