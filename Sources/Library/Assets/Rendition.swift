// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// A stored result of one edit, as pixels in a file.
package struct Rendition: Hashable, Sendable {
    /// The purpose of a rendition.
    package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// The encoded file for display and export.
        case current
        /// The lossless input for later edits.
        case base
    }

    /// The part of an asset that a rendition depicts.
    package enum Part: String, Codable, Hashable, Sendable, CaseIterable {
        /// A photo, or the still of a Live Photo.
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

    /// Creates a rendition that is not stored yet.
    package init(
        kind: Kind, part: Part, key: SHA256Digest, blob: SHA256Digest, pixelWidth: Int,
        pixelHeight: Int, duration: Double?, format: MediaFormat, createdDate: Date,
        ingredients: Data
    ) {
        self.kind = kind
        self.part = part
        self.key = key
        self.blob = blob
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
        self.duration = duration
        self.format = format
        self.createdDate = createdDate
        self.ingredients = ingredients
    }
}
