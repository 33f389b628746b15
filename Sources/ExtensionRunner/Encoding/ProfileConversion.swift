// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerProtocol
import RunnerSupport
import Vips

/// Brings pixels into the colour space that is wanted of a file, and gives it that profile.
enum ProfileConversion {
    /// The image as it is to be encoded, in RGB.
    ///
    /// - Parameter folder: Where a profile can lie for libvips, which takes one of its own, or a file.
    static func convert(
        _ image: Image, to settings: EncodeSettings, in folder: RunnerFolder?
    ) throws -> Image {
        guard let wanted = wanted(of: image, settings),
            let profile = try NamedProfile.bytes(wanted, original: nil),
            image.blob(ICCProfile.field) != profile
        else { return image }
        let known = try withUsableProfile(image)
        if known.blob(ICCProfile.field) == profile { return known }
        let converted = try withName(of: wanted, profile, in: folder) { name in
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

    /// Gives a profile a name for libvips, which reads it at once.
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

    /// GIF has no profile, so that its pixels are taken for sRGB.
    private static func wanted(of image: Image, _ settings: EncodeSettings) -> ColorProfile? {
        if settings.format == .gif { return image.hasProfile ? .sRGB : nil }
        return settings.profile == .original ? nil : settings.profile
    }

    /// With the profile of its pixels, which are sRGB where nothing is said of them that helps.
    private static func withUsableProfile(_ image: Image) throws -> Image {
        if let profile = image.blob(ICCProfile.field), try EmbeddedProfile.isUsable(profile) {
            return image
        }
        guard let standard = try NamedProfile.bytes(.sRGB, original: nil) else { return image }
        return try image.copying { $0.set(ICCProfile.field, to: standard) }
    }
}
