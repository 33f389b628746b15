// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// One immutable edit of an asset, with its recipe and the extension that made it. Only its stored
/// renditions may be replaced.
public struct Edit: Hashable, Sendable, Identifiable {
    /// The identifier: a lower-case UUID.
    public let identifier: String
    /// The identifier of the edit below, whose result was the input; nil for the original.
    public let parentIdentifier: String?
    /// The extension that made the edit; nil for an edit made by an application.
    public let editingExtension: EditingExtensionIdentity?
    /// The recipe of the edit.
    public let adjustmentData: AdjustmentData
    /// The files referenced by the edit's parameters.
    public let files: [EditFile]
    /// Whether the extension reproduced the same pixels from the recipe. If false, the edit is not
    /// re-rendered and its stored rendition is kept, as for an application's edit.
    public let isReproducible: Bool
    /// For a Live Photo: whether the edit includes the video. An edit of the still alone removes
    /// the motion until it is undone.
    public let coversMotion: Bool
    /// Whether the edit is applied. A disabled edit keeps its position and recipe.
    public internal(set) var isEnabled = true
    /// The date at which the edit was committed.
    public let createdDate: Date
    /// The stored renditions, at most one of each kind and part.
    package let renditions: [Rendition]

    /// Returns a copy of the edit with a different enabled flag.
    package func with(isEnabled: Bool) -> Edit {
        var edit = self
        edit.isEnabled = isEnabled
        return edit
    }

    /// The identifier, for `Identifiable`.
    public var id: String { identifier }
    /// The encoded result, if stored; for a Live Photo, that of its still.
    package var current: Rendition? { renditions.first { $0.kind == .current } }
    /// The lossless result, if stored.
    package var base: Rendition? { renditions.first { $0.kind == .base } }
}

/// A file that the user chose for a parameter of an edit. The library stores its bytes as long as
/// the edit exists.
public struct EditFile: Hashable, Sendable {
    /// The identifier of the parameter.
    public let parameter: String
    /// The filename, without its folder.
    public let filename: String
    /// The SHA-256 hash of the bytes.
    public let hash: SHA256Digest
    /// The size in bytes.
    public let size: Int

    /// Creates a description from its properties.
    package init(parameter: String, filename: String, hash: SHA256Digest, size: Int) {
        self.parameter = parameter
        self.filename = filename
        self.hash = hash
        self.size = size
    }
}

/// The exact build of an extension that made an edit.
public struct EditingExtensionIdentity: Codable, Hashable, Sendable {
    /// The extension's identifier, in reverse-DNS notation.
    public let identifier: String
    /// The extension's version.
    public let version: String
    /// The hash of the extension's shared library.
    public let binaryHash: SHA256Digest
    /// The combined hash of the additional files declared in the manifest; nil if there are none.
    public let hashedFilesHash: SHA256Digest?

    /// Creates an identity from its properties.
    package init(
        identifier: String, version: String, binaryHash: SHA256Digest,
        hashedFilesHash: SHA256Digest? = nil
    ) {
        self.identifier = identifier
        self.version = version
        self.binaryHash = binaryHash
        self.hashedFilesHash = hashedFilesHash
    }
}

/// A stored result of one edit, as pixels in a file.
package struct Rendition: Hashable, Sendable {
    /// The purpose of a rendition.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The encoded file for display and export.
        case current
        /// The lossless input for later edits.
        case base
    }

    /// The part of an asset that a rendition depicts.
    package enum Part: String, Hashable, Sendable, CaseIterable {
        /// A photograph, or the still of a Live Photo.
        case photo
        /// A video, or the video of a Live Photo.
        case video
    }

    /// The purpose of the rendition.
    package let kind: Kind
    /// The part of the asset that the rendition depicts.
    package let part: Part
    /// The hash of everything that determines the rendition. Equal keys mean equal bytes.
    package let key: SHA256Digest
    /// The hash under which the library stores the bytes.
    package let blob: SHA256Digest
    /// The width in pixels.
    package let pixelWidth: Int
    /// The height in pixels.
    package let pixelHeight: Int
    /// The duration of a video in seconds; nil for a picture, or for the duration of the original.
    package let duration: Double?
    /// The format of the file.
    package let format: MediaFormat
    /// The date at which the rendition was made.
    package let createdDate: Date
    /// The inputs of the key, as encoded by the renderer, to explain why a rendition is stale.
    package let ingredients: Data
}
