// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// An immutable snapshot of the metadata of a photo, video or other medium in a library.
///
/// An asset does not change after it is fetched, and fetching decodes no pixels. To change an
/// asset, create an ``AssetChangeRequest`` inside ``PhotoLibrary/performChanges(_:)``.
public struct Asset: Hashable, Sendable, Identifiable {
    /// The persistent identifier, unique in the library: a lower-case UUID.
    public let localIdentifier: String
    /// The media type: image, video, audio or unknown.
    public let mediaType: MediaType
    /// The subtypes of the medium, such as a Live Photo or an animation.
    public let mediaSubtypes: MediaSubtype
    /// The source from which the asset entered the library.
    public let sourceType: AssetSourceType
    /// The width of the current version in pixels.
    public let pixelWidth: Int
    /// The height of the current version in pixels.
    public let pixelHeight: Int
    /// The width of the upright original in pixels.
    public let originalPixelWidth: Int
    /// The height of the upright original in pixels.
    public let originalPixelHeight: Int
    /// The capture date from the metadata; nil if there is none. Edits do not change it.
    public let captureDate: CaptureDate?
    /// The modification time of the imported file, used only as a tie-breaker for sorting.
    public let fileDate: Date?
    /// The date at which the asset was added to the library.
    public let addedDate: Date
    /// The date of the last change of content or metadata.
    public let modificationDate: Date
    /// The location at which the asset was captured; nil if unknown.
    public let location: Location?
    /// The duration in seconds; 0 for a photo.
    public let duration: Double
    /// True if the user marked the asset as a favourite.
    public let isFavorite: Bool
    /// True if the user hid the asset.
    public let isHidden: Bool
    /// The date at which the asset was moved to the trash; nil if it is not in the trash.
    public let trashedDate: Date?
    /// The identifier shared by the pictures of one burst; nil outside bursts.
    public let burstIdentifier: String?
    /// True if the asset represents its burst.
    public let representsBurst: Bool
    /// The way in which the asset was picked from its burst: by the user, automatically, or both.
    public let burstSelectionTypes: AssetBurstSelectionType
    /// The name of the imported file, without its folder.
    public let originalFilename: String
    /// The path of the imported file's folder, relative to the folder that was imported, such as
    /// `2024/Italy`. Nil if the file was directly in that folder, or was imported by its name.
    public let originalFolder: String?
    /// The number of content changes so far. An edit based on an older generation conflicts.
    public let generation: Int
    /// The format of the current state's recipe; nil for the original.
    public let adjustmentFormatIdentifier: String?
    /// The manufacturer of the camera, from the file's metadata.
    public let cameraMake: String?
    /// The camera model, from the file's metadata.
    public let cameraModel: String?
    /// The lens model, from the file's metadata.
    public let lensModel: String?
    /// The rating: 0 to 5 stars, or -1 for a rejected picture; nil if there is none.
    public let rating: Int?
    /// The title, on one line; nil if there is none.
    public let title: String?
    /// A textual description, possibly of several lines; nil if there is none.
    public let descriptionText: String?
    /// The creators, on one line and separated by semicolons; nil if there are none.
    public let creator: String?
    /// The copyright notice, on one line; nil if there is none.
    public let copyright: String?
    /// The label by which programs group pictures: a colour or word, such as `Red` or `Select`.
    public let label: String?
    /// The exposure time in seconds, from the file's metadata.
    public let exposureTime: Double?
    /// The identifier shared by the picture and the video of a Live Photo.
    public let contentIdentifier: String?
    /// Which of creator and copyright were removed in the library. A missing value that was not
    /// removed may never have been read, as in libraries of earlier versions.
    package let removedTexts: Set<KeptMetadataValue.Field>
    /// Whether the current version is an edit that does not cover the video of a Live Photo.
    let hidesMotion: Bool

    /// The local identifier, for `Identifiable`.
    public var id: String { localIdentifier }
    /// The capture date without the camera's offset from UTC.
    public var creationDate: Date? { captureDate?.date }
    /// True if the asset was deleted before a ``FetchResult`` could read it. Only its identifier is
    /// valid.
    public var isRemoved: Bool { generation < 0 }
    /// True if the asset is in the trash.
    public var isTrashed: Bool { trashedDate != nil }
    /// True if edits make the current version differ from the original.
    public var hasAdjustments: Bool { adjustmentFormatIdentifier != nil }
}
