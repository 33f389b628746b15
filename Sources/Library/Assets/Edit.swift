// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// One step of an asset's edits: who did what to which input. It never changes; only its
/// renditions may be replaced by equal or newer ones.
public struct Edit: Hashable, Sendable, Identifiable {
    /// The identifier, a lower-case UUID.
    public let identifier: String
    /// The edit whose result was the input; nil where the original was.
    public let parentIdentifier: String?
    /// The extension that made it; nil for an edit that an application made itself.
    public let editingExtension: EditingExtensionIdentity?
    /// The recipe.
    public let adjustmentData: AdjustmentData
    /// The files that the user gave to its parameters, by the names of these.
    public let files: [EditFile]
    /// Whether its extension has drawn the same again from the recipe. Where it has not, the picture
    /// stays as it was stored, as that of an application does.
    public let isReproducible: Bool
    /// Of a Live Photo: whether it is an edit of its video, too. Where it is of the still alone, the motion is gone
    /// until the edit is undone.
    public let coversMotion: Bool
    /// Whether it is applied. An edit that is disabled keeps its place and its recipe.
    public internal(set) var isEnabled = true
    /// When it was committed.
    public let createdDate: Date
    /// What is stored of its result, at most one of each kind and part.
    package let renditions: [Rendition]

    /// The same edit, enabled or not.
    package func with(isEnabled: Bool) -> Edit {
        var edit = self
        edit.isEnabled = isEnabled
        return edit
    }

    /// The identifier again, for `Identifiable`.
    public var id: String { identifier }
    /// The encoded result, if it is stored; of a Live Photo that of its still.
    package var current: Rendition? { renditions.first { $0.kind == .current } }
    /// The lossless result, if it is stored.
    package var base: Rendition? { renditions.first { $0.kind == .base } }
}

/// A file that a user gave to a parameter of an edit. The library keeps its bytes as long as the edit.
public struct EditFile: Hashable, Sendable {
    /// The parameter's name.
    public let parameter: String
    /// What the file was called, without its folder.
    public let filename: String
    /// The SHA-256 of its bytes.
    public let hash: SHA256Digest
    /// How long it is, in bytes.
    public let size: Int

    /// Makes a description; every argument is the property of its name.
    package init(parameter: String, filename: String, hash: SHA256Digest, size: Int) {
        self.parameter = parameter
        self.filename = filename
        self.hash = hash
        self.size = size
    }
}

/// Exactly which build of an extension made an edit.
public struct EditingExtensionIdentity: Codable, Hashable, Sendable {
    /// The extension's identifier, in reverse DNS.
    public let identifier: String
    /// Its version.
    public let version: String
    /// The hash of its shared library.
    public let binaryHash: SHA256Digest
    /// The hash over the further files that its manifest declares; nil where it declares none.
    public let hashedFilesHash: SHA256Digest?

    /// Makes an identity; every argument is the property of its name.
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

/// Stored pixels of the asset as it is after one of its edits.
package struct Rendition: Hashable, Sendable {
    /// What a rendition is for.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Encoded once for the user: what is shown and exported.
        case current
        /// Stored without loss, for later edits to start from.
        case base
    }

    /// Which part of an asset it is.
    package enum Part: String, Hashable, Sendable, CaseIterable {
        /// A photograph, or a Live Photo's still.
        case photo
        /// A video, or that of a Live Photo.
        case video
    }

    /// What it is for.
    package let kind: Kind
    /// Which part it is.
    package let part: Part
    /// The hash of everything that determines it; equal keys, equal bytes.
    package let key: SHA256Digest
    /// The hash that opens the bytes.
    package let blob: SHA256Digest
    /// Width in pixels.
    package let pixelWidth: Int
    /// Height in pixels.
    package let pixelHeight: Int
    /// Of a video, in seconds; nil: it is none, or as long as the original.
    package let duration: Double?
    /// The file's format.
    package let format: MediaFormat
    /// When it was rendered.
    package let createdDate: Date
    /// What the key was made of, in the words of whoever rendered it: for saying why it is stale.
    package let ingredients: Data
}
