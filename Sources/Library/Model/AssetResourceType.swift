// SPDX-License-Identifier: Apache-2.0

/// What a file is to its asset. The raw values are those of PhotoKit's `PHAssetResourceType`, but for
/// `metadataSidecar`, which is this project's own.
public enum AssetResourceType: Int, Hashable, Sendable, CaseIterable {
    /// The original photograph.
    case photo = 1
    /// The original video.
    case video = 2
    /// The original sound.
    case audio = 3
    /// The same photograph in another format: the RAW beside a JPEG.
    case alternatePhoto = 4
    /// The current version of an edited photograph.
    case fullSizePhoto = 5
    /// The current version of an edited video.
    case fullSizeVideo = 6
    /// The recipe of the last edit; of an original, the AAE file that came with it.
    case adjustmentData = 7
    /// The previous version: what the last edit was given.
    case adjustmentBasePhoto = 8
    /// The video of a Live Photo.
    case pairedVideo = 9
    /// The current version of an edited Live Photo's video.
    case fullSizePairedVideo = 10
    /// What the last edit of a Live Photo's video was given.
    case adjustmentBasePairedVideo = 11
    /// What the last edit of a video was given.
    case adjustmentBaseVideo = 12
    /// The XMP file that came with the original.
    case metadataSidecar = 1001

    /// The case's name.
    public var name: String { String(describing: self) }
}
