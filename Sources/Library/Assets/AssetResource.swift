// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// One file of an asset: an original, a companion, a rendition or a recipe.
public struct AssetResource: Hashable, Sendable {
    /// The role of the file in the asset.
    public let type: AssetResourceType
    /// The identifier of the asset.
    public let assetLocalIdentifier: String
    /// The name of the imported file. A version has the name of its original.
    public let originalFilename: String
    /// The format detected from the content; `unknown` for adjustment data.
    public let format: MediaFormat
    /// The hash under which the library stores the bytes; nil if they are stored elsewhere or have
    /// to be rendered.
    public let blob: SHA256Digest?
    /// The location of an original not stored in the library; a `file:` URL for a referenced file.
    public let url: String?
    /// The hash of the bytes, wherever they are stored; nil if unknown.
    public let contentHash: SHA256Digest?
    /// The size in bytes; nil if unknown.
    public internal(set) var size: Int?
    /// The modification time of a referenced file when it was added, in microseconds since 1970.
    let contentDate: Int64?
    /// The facts found by decoding an original; nil if it has not been decoded.
    public let facts: PhotoFacts?
    /// Whether this is the asset's original, not a companion or version of it.
    public internal(set) var isPrimary: Bool
    /// The location of embedded bytes, such as the video in a Motion Photo; otherwise nil.
    package internal(set) var embedding: Embedding?

    /// The uniform type identifier of the bytes, such as `public.jpeg`; `public.data` if it is
    /// unknown until they are rendered.
    public var uniformTypeIdentifier: String {
        switch type {
        case .metadataSidecar: "public.xml"
        case .adjustmentFile: "public.data"
        case .adjustmentData: contentHash == nil ? "public.data" : "com.apple.property-list"
        default: format.uniformTypeIdentifier
        }
    }
}

/// The role of a file in its asset. The raw values are those of PhotoKit's `PHAssetResourceType`,
/// except for the project's own `metadataSidecar` and `adjustmentFile`.
public enum AssetResourceType: Int, Hashable, Sendable, CaseIterable {
    /// The original photograph.
    case photo = 1
    /// The original video.
    case video = 2
    /// The original sound.
    case audio = 3
    /// The same photograph in another format, such as the RAW of a JPEG.
    case alternatePhoto = 4
    /// The current version of an edited photograph.
    case fullSizePhoto = 5
    /// The current version of an edited video.
    case fullSizeVideo = 6
    /// The recipe of the last edit. Among originals, an imported AAE file.
    case adjustmentData = 7
    /// The previous version of a photograph, the input of the last edit.
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
