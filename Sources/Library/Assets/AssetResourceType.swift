// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The role of a file in its asset. The raw values are those of PhotoKit's `PHAssetResourceType`,
/// except for the project's own `metadataSidecar` and `adjustmentFile`.
public enum AssetResourceType: Int, Hashable, Sendable, CaseIterable {
    /// The original photo.
    case photo = 1
    /// The original video.
    case video = 2
    /// The original sound.
    case audio = 3
    /// The same photo in another format, such as the RAW of a JPEG.
    case alternatePhoto = 4
    /// The current version of an edited photo.
    case fullSizePhoto = 5
    /// The current version of an edited video.
    case fullSizeVideo = 6
    /// The recipe of the last edit. Among originals, an imported AAE file.
    case adjustmentData = 7
    /// The previous version of a photo, the input of the last edit.
    case adjustmentBasePhoto = 8
    /// The original video of a Live Photo.
    case pairedVideo = 9
    /// The current version of an edited Live Photo's video.
    case fullSizePairedVideo = 10
    /// The previous version of a Live Photo's video, the input of the last edit.
    case adjustmentBasePairedVideo = 11
    /// The previous version of a video, the input of the last edit.
    case adjustmentBaseVideo = 12
    /// The XMP sidecar imported with the original.
    case metadataSidecar = 1001
    /// A file referenced by a parameter of the last edit, as part of its recipe.
    case adjustmentFile = 1002

    /// The name of the enumeration case.
    public var name: String { String(describing: self) }
}
