// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Vips

/// Sees to it that a file has the profile of its pixels. libpng, and libjxl, leave out one that they do
/// not like, with a warning only, and the picture would have other colours.
enum EmbeddedProfile {
    /// The savers that look at a profile, and what reads the file again.
    private static let strict: [MediaFormat: (saver: String, loader: String)] = [
        .png: ("pngsave_buffer", "pngload_source"), .jxl: ("jxlsave_buffer", "jxlload_source"),
    ]

    /// The image with a profile that its format's encoder takes: its own, its own with the illuminant
    /// that every profile must have, or sRGB, to which the pixels are converted; none where nothing can be
    /// computed by it.
    static func accepted(_ image: Image, for format: MediaFormat) throws -> Image {
        guard let profile = image.blob(ICCProfile.field), strict[format] != nil else {
            return image
        }
        // Nobody can see the picture through such a one, and libjxl aborts over it.
        guard try isUsable(profile) else {
            return try image.copying { $0.remove(ICCProfile.field) }
        }
        guard try !isTaken(profile, by: format) else { return image }
        let repaired = ICCProfile.withStandardIlluminant(profile)
        if try repaired != profile && isTaken(repaired, by: format) {
            return try image.copying { $0.set(ICCProfile.field, to: repaired) }
        }
        let converted = try WorkingColor.toSRGB(image, ["embedded": true])
        return try converted.copying { $0.remove(ICCProfile.field) }
    }

    /// Whether colours can be computed by a profile at all.
    static func isUsable(_ profile: [UInt8]) throws -> Bool {
        let pixel = try pixel(profile)
        return (try? WorkingColor.toSRGB(pixel, ["embedded": true]).copiedToMemory()) != nil
    }

    private static func pixel(_ profile: [UInt8]) throws -> Image {
        try Image(
            bytes: [0, 0, 0], width: 1, height: 1, bands: 3, format: .uchar,
            interpretation: .srgb
        ).copying { $0.set(ICCProfile.field, to: profile) }
    }

    /// Whether a file of one pixel has a profile when it is read again.
    private static func isTaken(_ profile: [UInt8], by format: MediaFormat) throws -> Bool {
        guard let (saver, loader) = strict[format] else { return true }
        // An encoder that refuses it altogether does not take it.
        guard let file = try? pixel(profile).encoded(saver: saver) else { return false }
        return try Image(source: try ImageSource(bytes: file), loader: loader)
            .hasField(ICCProfile.field)
    }
}
