// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import TestSupport
import Testing
import Vips

/// The colour space that EXIF declares in a written file.
@Suite("EXIF colour space")
struct ExifColorSpaceTests {
    private static func written(
        _ tags: [String], _ profile: ColorProfile, embedded: String? = nil,
        format: MediaFormat = .jpeg
    ) throws -> [String: String] {
        let options: [String: OperationValue] =
            embedded.map { ["profile": .string($0)] } ?? ["strip": true]
        let picture = try TestPicture.image(width: 64, height: 48)
            .encoded(saver: "jpegsave_buffer", options: options)
        let file = try ExifTool().tagging(picture, "jpg", tags)
        var settings = EncodeSettings(format: format)
        settings.profile = profile
        return try ExifTool().read(try Reencoded.file(file, settings).file)
    }

    private static let standard = ["-ColorSpace=1", "-InteropIndex=R98"]
    private static let adobe = ["-ColorSpace=65535", "-InteropIndex=R03"]

    /// EXIF tags of an original, and the values expected in a file with a profile.
    struct Case: Sendable {
        let tags: [String]
        let profile: ColorProfile
        let space: String?
        let index: String?

        init(_ tags: [String], _ profile: ColorProfile, _ space: String?, _ index: String?) {
            self.tags = tags
            self.profile = profile
            self.space = space
            self.index = index
        }
    }

    private static let cases = [
        Case(standard, .sRGB, "1", "R98"), Case(standard, .adobeRGB, "65535", "R03"),
        Case(standard, .displayP3, "65535", nil), Case(standard, .proPhotoRGB, "65535", nil),
        Case(standard, .original, "1", "R98"), Case(adobe, .sRGB, "1", "R98"),
        Case(adobe, .adobeRGB, "65535", "R03"), Case(adobe, .original, "65535", "R03"),
        Case(adobe, .displayP3, "65535", nil), Case(["-ColorSpace=2"], .sRGB, "1", nil),
        Case(["-ColorSpace=1"], .displayP3, "65535", nil),
        Case(["-Artist=A"], .displayP3, nil, nil), Case(["-ColorSpace=65535"], .sRGB, "1", nil),
        // The colour space is unknown before and after.
        Case(["-ColorSpace=65535"], .original, "65535", nil),
    ]

    @Test(
        "EXIF names the colour space of the written file",
        arguments: cases, [MediaFormat.jpeg, .webp, .heic])
    func spaces(_ wanted: Case, format: MediaFormat) throws {
        let tags = try Self.written(wanted.tags, wanted.profile, format: format)
        #expect(tags["ExifIFD:ColorSpace"] == wanted.space)
        #expect(tags["InteropIFD:InteropIndex"] == wanted.index)
        // libvips writes JPEG's EXIF header into WebP.
        let warnings = tags.filter { $0.key.hasSuffix(":Warning") }.map(\.value)
        #expect(warnings == (format == .webp ? ["[minor] Improper EXIF header"] : []))
    }

    @Test("the colours of a profile decide the colour space in EXIF")
    func profiles() throws {
        let tags = ["-ColorSpace=1", "-InteropIndex=R98", "-XMP-exif:ColorSpace=1"]
        let wide = try Self.written(tags, .original, embedded: "p3")
        #expect(wide["ExifIFD:ColorSpace"] == "65535" && wide["InteropIFD:InteropIndex"] == nil)
        #expect(wide["XMP-exif:ColorSpace"] == "65535")
        let narrow = try Self.written(tags, .original, embedded: "srgb")
        #expect(narrow["ExifIFD:ColorSpace"] == "1" && narrow["XMP-exif:ColorSpace"] == "1")
        let tiff = try Self.written(tags, .adobeRGB, format: .tiff)
        #expect(tiff["ExifIFD:ColorSpace"] == "65535" && tiff["InteropIFD:InteropIndex"] == "R03")
    }
}
