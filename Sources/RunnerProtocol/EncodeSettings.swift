// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// How a picture is encoded. Part of a rendition's key.
package struct EncodeSettings: Codable, Hashable, Sendable {
    /// `jpeg`, `png`, `tiff`, `webp`, `heic`, `avif`, `jxl` or `gif`.
    package var format: MediaFormat
    /// 1...100 for formats with loss; nil: lossless where the format can, else 92.
    package var quality: Int?
    /// JPEG: do not subsample the chroma (4:4:4 instead of 4:2:0).
    package var fullChroma: Bool
    /// 8 or 16; formats that cannot do 16 get 8.
    package var bitsPerSample: Int
    /// The picture is made to fit this box, never enlarged; nil: as large as it is.
    package var size: PixelSize?
    /// How much a picture is sharpened that was made smaller; nil: not at all.
    package var sharpening: Sharpening?
    /// TIFF: the pixels are not compressed. Nil: they are; and not false, so that the keys of
    /// renditions stay what they were.
    package var isUncompressed: Bool?
    /// What of the original's metadata is left out; nil: nothing, for the same reason.
    package var omittedMetadata: OmittedMetadata?
    /// What the file says in place of what its original says; nil: nothing, for the same reason.
    package var metadataChanges: MetadataChanges?
    /// The colour space that the pixels are converted to, whose profile is embedded; nil: they keep theirs.
    package var profile: ColorProfile?
    /// The file is the base, a JPEG, HEIC, AVIF or GIF, with other metadata: its pixels are neither decoded nor
    /// encoded. Nil: it is encoded.
    package var keepsPixels: Bool?

    /// Of a video: how it is encoded. Nil: it is a picture.
    package var video: VideoSettings?

    /// How much of a picture's detail is brought back.
    package enum Sharpening: String, Codable, Hashable, Sendable {
        case low, standard, high
    }

    /// What a file leaves out that its original says.
    package enum OmittedMetadata: String, Codable, Hashable, Sendable {
        /// Everything but the colour profile.
        case all
        /// Everything but that, who made the photograph and whose it is.
        case allButCopyright
        /// Where the photograph was taken, in EXIF, XMP and IPTC.
        case location
    }

    /// Makes settings.
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
