// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing
import Vips

/// Pixels that are converted to another colour space when they are encoded.
@Suite("profiles of outputs")
struct ExportedProfileTests {
    private static func encode(
        _ bytes: [UInt8], _ settings: EncodeSettings
    ) throws -> Image {
        let (base, file) = (try TestFile(bytes), try TestFile())
        let job = RenderJob(
            input: RenderInput(base: .encoded(.unknown)), output: .encoded(settings))
        let reply = try withExtendedLifetime(base) {
            try TestRunner().request(
                .run(job),
                [(.base, base.number), (.metadataSource, base.number), (.output, file.number)])
        }
        guard case .rendered = reply else { throw unexpected(reply) }
        return try file.image()
    }

    private static func png(_ color: [UInt8], profile: String? = nil) throws -> [UInt8] {
        try VipsLibrary.initialize()
        let image = try Image(
            bytes: (0..<16).flatMap { _ in color }, width: 4, height: 4, bands: 3, format: .uchar,
            interpretation: .srgb)
        return try image.encoded(
            saver: "pngsave_buffer", options: profile.map { ["profile": .string($0)] } ?? [:])
    }

    /// Matrices from linear sRGB to the linear light of each profile, and the profile's gamma (nil for the curve
    /// of sRGB), by IEC 61966-2-1, SMPTE EG 432-1, Adobe RGB (1998), and ISO 22028-2 with Bradford's adaptation.
    private static let linear: [ColorProfile: (rows: [[Double]], gamma: Double?)] = [
        .sRGB: ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], nil),
        .displayP3: (
            [[0.82246, 0.17754, 0], [0.03319, 0.96681, 0], [0.01708, 0.07240, 0.91052]], nil
        ),
        .adobeRGB: (
            [[0.71513, 0.28487, 0], [0, 1, 0], [0, 0.04117, 0.95883]], 2.19921875
        ),
        .proPhotoRGB: (
            [
                [0.52929, 0.33004, 0.14067], [0.09837, 0.87347, 0.02816],
                [0.01688, 0.11767, 0.86545],
            ],
            1.8
        ),
    ]

    private static func expected(_ color: [UInt8], _ profile: ColorProfile) throws -> [Double] {
        let (rows, gamma) = try #require(linear[profile])
        let light = color.map { sample -> Double in
            let value = Double(sample) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return rows.map { row in
            let value = zip(row, light).reduce(0) { $0 + $1.0 * $1.1 }
            if let gamma { return 255 * pow(value, 1 / gamma) }
            return 255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055)
        }
    }

    @Test(
        "pixels are converted to the other space, and the file has its profile",
        arguments: [ColorProfile.sRGB, .displayP3, .adobeRGB, .proPhotoRGB],
        [MediaFormat.png, .jpeg, .tiff, .webp])
    func converted(profile: ColorProfile, format: MediaFormat) throws {
        for color in [[200, 60, 30], [20, 120, 220], [128, 128, 128], [255, 255, 255]] as [[UInt8]]
        {
            for embedded in [nil, "srgb"] as [String?] {
                var settings = EncodeSettings(format: format, fullChroma: true)
                settings.profile = profile
                let image = try Self.encode(try Self.png(color, profile: embedded), settings)
                let found = try image.pixels().prefix(3).map(Double.init)
                let wanted = try Self.expected(color, profile)
                let limit = format == .jpeg ? 4.0 : 2.0
                #expect(
                    zip(found, wanted).allSatisfy { abs($0 - $1) <= limit },
                    "\(color): \(found) for \(wanted)")
                let data = try #require(image.blob("icc-profile-data"))
                #expect(data.count > 100)
            }
        }
    }

    @Test("deep pixels stay deep")
    func deep() throws {
        try VipsLibrary.initialize()
        let wide = try Image(
            source: try ImageSource(bytes: try Self.png([200, 60, 30]))
        ).applying("cast", ["format": "ushort"]).applying(
            "linear", ["a": .doubles([257, 257, 257]), "b": .doubles([0, 0, 0])])
        let bytes = try wide.applying("cast", ["format": "ushort"]).copying {
            $0.setInterpretation(.rgb16)
        }.encoded(saver: "pngsave_buffer")
        var settings = EncodeSettings(format: .png, bitsPerSample: 16)
        settings.profile = .adobeRGB
        let image = try Self.encode(bytes, settings)
        #expect(image.format == .ushort)
        let found = try image.samples().prefix(3).map { Double($0) / 257 }
        let wanted = try Self.expected([200, 60, 30], .adobeRGB)
        #expect(zip(found, wanted).allSatisfy { abs($0 - $1) < 0.5 }, "\(found) for \(wanted)")
    }

    @Test("GIF is always sRGB")
    func gif() throws {
        let image = try Self.encode(
            try Self.png([200, 60, 30], profile: "p3"), EncodeSettings(format: .gif))
        // The inverse of the matrix above gives 217, 42 and a negative number. GIF has 256 colours.
        let found = try image.pixels().prefix(3).map(Int.init)
        #expect(abs(found[0] - 217) <= 4 && abs(found[1] - 42) <= 4 && found[2] <= 4, "\(found)")
    }
}
