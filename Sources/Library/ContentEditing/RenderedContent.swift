// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import Glibc

/// A rendition staged for the commit.
package struct RenderedContent: Sendable {
    /// The part of the asset that the rendition depicts.
    package var part: Rendition.Part { format.mediaType == .video ? .video : .photo }

    /// The encoded file, staged by ``PhotoLibrary/stage(_:expectedSize:)``.
    package let blob: StagedBlob
    /// The hash of everything that determines the pixels.
    package let key: SHA256Digest
    /// The inputs of the key, opaque to the library.
    package let ingredients: Data
    /// The width in pixels of the upright file.
    package let pixelWidth: Int
    /// The height in pixels of the upright file.
    package let pixelHeight: Int
    /// The duration of a video in seconds; nil for a picture, or for the duration of the original.
    package let duration: Double?
    /// The format of the file.
    package let format: MediaFormat
    /// The original's metadata that the file lacks, as messages for the user.
    package let omissions: [String]
    /// The other part of the asset, if this is the still of a Live Photo: its video. At most one.
    package var otherParts: [RenderedContent] = []

    /// The staged files of all parts.
    var blobs: [StagedBlob] { [blob] + otherParts.flatMap(\.blobs) }

    /// Creates rendered content from its properties.
    ///
    /// The caller has verified that the file matches these values.
    package init(
        blob: StagedBlob, key: SHA256Digest, ingredients: Data, pixelWidth: Int, pixelHeight: Int,
        duration: Double? = nil, format: MediaFormat, omissions: [String] = []
    ) {
        self.duration = duration
        self.omissions = omissions
        self.blob = blob
        self.key = key
        self.ingredients = ingredients
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
        self.format = format
    }
}
