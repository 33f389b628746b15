// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// A photograph, or another medium, in a library: its metadata at the moment it was fetched.
///
/// An asset never changes after it was fetched, and fetching reads no picture. To alter one,
/// make an ``AssetChangeRequest`` inside ``PhotoLibrary/performChanges(_:)``.
public struct Asset: Hashable, Sendable, Identifiable {
    /// The identifier: unique in the library, and the same for ever. A lower-case UUID.
    public let localIdentifier: String
    /// What kind of medium it is.
    public let mediaType: MediaType
    /// What finer kinds it is of.
    public let mediaSubtypes: MediaSubtype
    /// Where it came from.
    public let sourceType: AssetSourceType
    /// Width in pixels of the current version.
    public let pixelWidth: Int
    /// Height in pixels of the current version.
    public let pixelHeight: Int
    /// Width in pixels of the original, held upright.
    public let originalPixelWidth: Int
    /// Height in pixels of the original, held upright.
    public let originalPixelHeight: Int
    /// When it was taken, by its metadata; nil where that does not say. Edits leave it alone.
    public let captureDate: CaptureDate?
    /// The time of the file that was imported: only a tie-breaker for sorting.
    public let fileDate: Date?
    /// When it came into the library.
    public let addedDate: Date
    /// When its content or metadata last changed.
    public let modificationDate: Date
    /// Where it was taken.
    public let location: Location?
    /// Length in seconds; 0 for a photograph.
    public let duration: Double
    /// Whether the user marked it as a favourite.
    public let isFavorite: Bool
    /// Whether the user hid it.
    public let isHidden: Bool
    /// What the pictures of one burst have in common.
    public let burstIdentifier: String?
    /// Whether it stands for its burst.
    public let representsBurst: Bool
    /// Why it is shown among the pictures of its burst.
    public let burstSelectionTypes: AssetBurstSelectionType
    /// The name of the file that was imported, without its folder.
    public let originalFilename: String
    /// Counts the changes of its content; an edit made from an older generation conflicts.
    public let generation: Int
    /// The format of the current state's recipe; nil for the original.
    public let adjustmentFormatIdentifier: String?
    /// Who made the camera, as the file says.
    public let cameraMake: String?
    /// The camera, as the file says.
    public let cameraModel: String?
    /// The lens, as the file says.
    public let lensModel: String?
    /// The stars, 0...5, or -1 for a rejected picture.
    public let rating: Int?
    /// The title.
    public let title: String?
    /// What it shows, in words; of several lines, perhaps.
    public let descriptionText: String?
    /// The colour or word by which a program labels pictures, such as `Red` or `Select`.
    public let label: String?
    /// For how long the picture was exposed, in seconds, as the file says.
    public let exposureTime: Double?
    /// What a Live Photo's picture and its video have in common.
    public let contentIdentifier: String?

    /// The identifier again, for `Identifiable`.
    public var id: String { localIdentifier }
    /// When it was taken: `captureDate` without the camera's offset.
    public var creationDate: Date? { captureDate?.date }
    /// Whether nothing of it is known but its identifier: it had been deleted when a
    /// ``FetchResult`` came to read it.
    public var isRemoved: Bool { generation < 0 }
    /// Whether the current version differs from the original by edits.
    public var hasAdjustments: Bool { adjustmentFormatIdentifier != nil }
}
