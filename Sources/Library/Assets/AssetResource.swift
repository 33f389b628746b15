// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// One of the files behind an asset.
public struct AssetResource: Hashable, Sendable {
    /// What the file is to the asset.
    public let type: AssetResourceType
    /// The asset's identifier.
    public let assetLocalIdentifier: String
    /// The name that the file came with; the name of its original for a version of it.
    public let originalFilename: String
    /// The file's format by content; `unknown` for adjustment data.
    public let format: MediaFormat
    /// The hash that opens the bytes in the library; nil when they are elsewhere, or have to be
    /// rendered.
    public let blob: SHA256Digest?
    /// Where the bytes of an original lie that the library does not hold: a `file:` address
    /// where it was referenced.
    public let url: String?
    /// The hash of the bytes, wherever they are; nil where it is not known.
    public let contentHash: SHA256Digest?
    /// How many bytes there are; nil where that is not known.
    public internal(set) var size: Int?
    /// The time of a referenced file, as it was then, in microseconds since 1970.
    let contentDate: Int64?
    /// What decoding told about an original.
    public let facts: PhotoFacts?
    /// Whether this is the asset's own original rather than a companion or a version of it.
    public internal(set) var isPrimary: Bool
    /// Where the bytes lie of what is no file of its own: the video in a Motion Photo.
    package internal(set) var embedding: Embedding?

    /// The uniform type identifier of the bytes, such as `public.jpeg`; `public.data` where that is
    /// not known before they are rendered.
    public var uniformTypeIdentifier: String {
        switch type {
        case .metadataSidecar: "public.xml"
        case .adjustmentFile: "public.data"
        case .adjustmentData: contentHash == nil ? "public.data" : "com.apple.property-list"
        default: format.uniformTypeIdentifier
        }
    }
}

/// What a file is to its asset. The raw values are those of PhotoKit's `PHAssetResourceType`, but for
/// `metadataSidecar` and `adjustmentFile`, which are this project's own.
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
    /// A file that a parameter of the last edit names: part of its recipe, under its own name.
    case adjustmentFile = 1002

    /// The case's name.
    public var name: String { String(describing: self) }
}
