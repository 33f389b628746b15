// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Vips

/// Ensures that a file contains the profile of its pixels. libpng and libjxl drop profiles that they reject, and only
/// log a warning. The colours would then change.
enum EmbeddedProfile {
    /// The savers that validate profiles, and the loaders that read their files.
    private static let strict: [MediaFormat: (saver: String, loader: String)] = [
        .png: ("pngsave_buffer", "pngload_source"), .jxl: ("jxlsave_buffer", "jxlload_source"),
    ]

    /// Returns the image with a profile that the encoder accepts. This is its own profile, if necessary with the
    /// illuminant that the standard requires. Otherwise the pixels are converted to sRGB. An unusable profile is
    /// removed.
    static func accepted(_ image: Image, for format: MediaFormat) throws -> Image {
        guard let profile = image.blob(ICCProfile.field), strict[format] != nil else {
            return image
        }
        // No program can interpret such a profile, and libjxl aborts on it.
        guard try isUsable(profile) else {
            return try image.copying { $0.remove(ICCProfile.field) }
        }
        guard try !isPreserved(profile, by: format) else { return image }
        let repaired = ICCProfile.withStandardIlluminant(profile)
        if try repaired != profile && isPreserved(repaired, by: format) {
            return try image.copying { $0.set(ICCProfile.field, to: repaired) }
        }
        let converted = try WorkingColor.toSRGB(image, ["embedded": true])
        return try converted.copying { $0.remove(ICCProfile.field) }
    }

    /// Whether colours can be computed with a profile.
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

    /// Whether an encoded file of one pixel keeps the profile.
    private static func isPreserved(_ profile: [UInt8], by format: MediaFormat) throws -> Bool {
        guard let (saver, loader) = strict[format] else { return true }
        // An encoder that fails does not accept the profile.
        guard let file = try? pixel(profile).encoded(saver: saver) else { return false }
        return try Image(source: try ImageSource(bytes: file), loader: loader)
            .hasField(ICCProfile.field)
    }
}
