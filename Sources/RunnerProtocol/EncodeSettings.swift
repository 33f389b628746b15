// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The settings with which a picture is encoded. Part of the cache key of a rendition.
package struct EncodeSettings: Codable, Hashable, Sendable {
    /// The default quality of lossy formats, for renditions, exports and pictures for display.
    package static let defaultQuality = 92

    /// The output format: `jpeg`, `png`, `tiff`, `webp`, `heic`, `avif`, `jxl` or `gif`.
    package var format: MediaFormat
    /// The quality of lossy formats, 1...100. Nil means lossless if the format supports it, otherwise
    /// ``defaultQuality``.
    package var quality: Int?
    /// Whether JPEG, HEIC or AVIF keeps full chroma resolution (4:4:4 instead of 4:2:0).
    package var fullChroma: Bool
    /// The bit depth, 8 or 16. Formats without 16-bit support use 8.
    package var bitsPerSample: Int
    /// The box into which the picture is reduced; it is never enlarged. Nil keeps the size.
    package var size: PixelSize?
    /// The sharpening of a reduced picture. Nil means none.
    package var sharpening: Sharpening?
    /// Whether the pixels of a TIFF are uncompressed. Nil means compressed; it is used instead of false, so
    /// existing keys of renditions do not change.
    package var isUncompressed: Bool?
    /// The metadata of the original to omit. Nil means none, for the same reason.
    package var omittedMetadata: OmittedMetadata?
    /// The metadata that replaces the original's. Nil means none, for the same reason.
    package var metadataChanges: MetadataChanges?
    /// The colour space to which the pixels are converted and whose profile is embedded. Nil keeps the current one.
    package var profile: ColorProfile?
    /// Whether the file is a copy of the base (a JPEG, HEIC, AVIF or GIF) with other metadata, without decoding or
    /// encoding its pixels. Nil means that it is encoded.
    package var keepsPixels: Bool?

    /// The encoding of a video. Nil for pictures.
    package var video: VideoSettings?

    /// The amount of sharpening after a reduction.
    package enum Sharpening: String, Codable, Hashable, Sendable {
        case low, standard, high
    }

    /// Metadata that is omitted from a file.
    package enum OmittedMetadata: String, Codable, Hashable, Sendable {
        /// Everything except the colour profile.
        case all
        /// Everything except the colour profile, the author and the copyright.
        case allButCopyright
        /// The location, in EXIF, XMP and IPTC.
        case location
        /// The names and regions of persons, in XMP.
        case people
        /// The location, and the names and regions of persons.
        case locationAndPeople

        /// Whether all other metadata is kept.
        package var isPartial: Bool { omitsLocation || omitsPeople }

        /// Whether the location is omitted.
        package var omitsLocation: Bool { self == .location || self == .locationAndPeople }

        /// Whether persons are omitted.
        package var omitsPeople: Bool { self == .people || self == .locationAndPeople }

        /// The same metadata and the location.
        package var withLocation: OmittedMetadata { self == .people ? .locationAndPeople : self }
    }

    /// Creates settings from their properties.
    package init(
        format: MediaFormat, quality: Int? = nil, fullChroma: Bool = false,
        bitsPerSample: Int = 8, size: PixelSize? = nil
    ) {
        self.format = format
        self.quality = quality
        self.fullChroma = fullChroma
        self.bitsPerSample = bitsPerSample
        self.size = size
    }
}
