// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerProtocol
import RunnerSupport
import Vips

/// Converts pixels to the colour space of the output and attaches its profile.
enum ProfileConversion {
    /// Returns the RGB image to encode.
    ///
    /// - Parameter folder: The folder for profile files. libvips accepts only its built-in profiles and files.
    static func convert(
        _ image: Image, to settings: EncodeSettings, in folder: RunnerFolder?
    ) throws -> Image {
        guard let target = targetProfile(of: image, settings),
            let profile = try NamedProfile.bytes(target, original: nil),
            image.blob(ICCProfile.field) != profile
        else { return image }
        let known = try withUsableProfile(image)
        if known.blob(ICCProfile.field) == profile { return known }
        let converted = try withName(of: target, profile, in: folder) { name in
            try known.applying(
                "icc_transform",
                [
                    "embedded": true, "output_profile": .string(name),
                    "depth": .integer(image.format == .ushort ? 16 : 8),
                    "black_point_compensation": true,
                ])
        }
        return try converted.copying {
            $0.setInterpretation(image.interpretation)
            $0.set(ICCProfile.field, to: profile)
        }
    }

    /// Passes the name of a profile to libvips, which reads it immediately.
    private static func withName(
        of profile: ColorProfile, _ bytes: [UInt8], in folder: RunnerFolder?,
        _ body: (String) throws -> Image
    ) throws -> Image {
        if let name = libvipsNames[profile] { return try body(name) }
        let path = folder.map { $0.path(for: $0.newName("profile", "icc")) }
        guard let folder, let path, let file = RunnerFolder.create(path) else {
            throw RunnerFailure(
                code: .outputFailed, message: "no room for a colour profile")
        }
        defer { folder.remove([path]) }
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
        return try body(path)
    }

    private static let libvipsNames: [ColorProfile: String] = [.sRGB: "srgb", .displayP3: "p3"]

    /// GIF files have no profile, so their pixels are treated as sRGB.
    private static func targetProfile(of image: Image, _ settings: EncodeSettings) -> ColorProfile?
    {
        if settings.format == .gif { return image.hasProfile ? .sRGB : nil }
        return settings.profile == .original ? nil : settings.profile
    }

    /// Attaches sRGB to an image without a usable profile.
    private static func withUsableProfile(_ image: Image) throws -> Image {
        if let profile = image.blob(ICCProfile.field), try EmbeddedProfile.isUsable(profile) {
            return image
        }
        guard let standard = try NamedProfile.bytes(.sRGB, original: nil) else { return image }
        return try image.copying { $0.set(ICCProfile.field, to: standard) }
    }
}
