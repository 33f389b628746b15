// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
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
    /// True if this is the asset's original, not a companion or version of it.
    public internal(set) var isPrimary: Bool
    /// The location of embedded bytes, such as the video in a Motion Photo; otherwise nil.
    package internal(set) var embedding: Embedding?

    /// The uniform type identifier of the bytes, such as `public.jpeg`; `public.data` if it is
    /// unknown until they are rendered.
    public var uniformTypeIdentifier: String {
        switch type {
        case .metadataSidecar:
            FileName(originalFilename).parts.ending == "json" ? "public.json" : "public.xml"
        case .adjustmentFile: "public.data"
        case .adjustmentData: contentHash == nil ? "public.data" : "com.apple.property-list"
        default: format.uniformTypeIdentifier
        }
    }
}
