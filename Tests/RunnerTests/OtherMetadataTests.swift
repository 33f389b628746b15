// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing

/// Metadata other than EXIF, XMP and IPTC that is copied, or reported as omitted.
@Suite("preserved comments, GeoTIFF, resolution and maker notes")
struct OtherMetadataTests {
    static func encode(
        _ original: TestFile, _ settings: EncodeSettings
    ) throws -> (tags: [String: String], file: TestFile, omissions: [String]) {
        let file = try TestFile()
        let reply = try TestRunner().request(
            .run(
                RenderJob(input: RenderInput(base: .encoded(.unknown)), output: .encoded(settings))),
            [
                (.base, original.number), (.metadataSource, original.number),
                (.output, file.number),
            ])
        guard case .rendered(let report) = reply else { throw unexpected(reply) }
        return (try ExifTool().read(file), file, report.omissions)
    }

    static func settings(
        _ format: MediaFormat, _ omitted: EncodeSettings.OmittedMetadata? = nil,
        size: PixelSize? = nil
    ) -> EncodeSettings {
        var settings = EncodeSettings(format: format, size: size)
        settings.omittedMetadata = omitted
        return settings
    }

    static func segment(_ marker: UInt8, _ contents: [UInt8]) -> [UInt8] {
        let length = contents.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + contents
    }

    /// A JPEG file with further segments after its start marker.
    static func jpeg(_ segments: [[UInt8]]) throws -> TestFile {
        let plain = try TestPicture.image(width: 64, height: 48).encoded(
            saver: "jpegsave_buffer", options: ["strip": true])
        return try TestFile(Array(plain[..<2]) + segments.joined() + plain[2...])
    }

    // MARK: - Comments

    @Test("JPEG comments are copied byte for byte, unless metadata is omitted")
    func comments() throws {
        let latin: [UInt8] = Array("caf".utf8) + [0xE9, 0]
        let comments = [Self.segment(0xFE, Array("a remark".utf8)), Self.segment(0xFE, latin)]
        let original = try Self.jpeg(comments)
        let (tags, file, omissions) = try Self.encode(original, Self.settings(.jpeg))
        #expect(tags["File:Comment"] != nil && omissions.isEmpty)
        #expect(file.bytes.firstRange(of: Array(comments.joined())) != nil)
        for omitted in [EncodeSettings.OmittedMetadata.all, .allButCopyright, .location] {
            let file = try Self.encode(original, Self.settings(.jpeg, omitted)).file
            #expect(file.bytes.firstRange(of: Array("a remark".utf8)) == nil)
        }
        #expect(try Self.encode(original, Self.settings(.png)).tags["File:Comment"] == nil)
    }

    @Test("comments are kept next to long XMP and EXIF")
    func commentsAndMore() throws {
        let tool = try ExifTool()
        let text = String(repeating: "x", count: 100_000)
        let original = try tool.tagging(
            try Self.jpeg([Self.segment(0xFE, Array("a remark".utf8))]).bytes, "jpg",
            ["-EXIF:Artist=An artist", "-XMP-photoshop:History=\(text)", "-IPTC:Headline=h"])
        let tags = try Self.encode(original, Self.settings(.jpeg)).tags
        #expect(tags["File:Comment"] == "a remark" && tags["IFD0:Artist"] == "An artist")
        #expect(tags["XMP-photoshop:History"] == text && tags["IPTC:Headline"] == "h")
        #expect(tags["ExifTool:Warning"] == nil)
    }

    // MARK: - GeoTIFF

    /// A TIFF file of 4 by 4 grey pixels with all GeoTIFF tags.
    private static func geoTIFF() throws -> TestFile {
        func word(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(number >> (8 * $0) & 0xFF) }
        }
        func doubles(_ values: [Double]) -> [UInt8] {
            values.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian, Array.init) }
        }
        let keys = [1, 1, 0, 3, 1024, 0, 1, 1, 1026, 34737, 8, 0, 2057, 34736, 1, 0]
        let tags: [(Int, Int, Int, [UInt8])] = [
            (256, 3, 1, word(4, 2)), (257, 3, 1, word(4, 2)), (258, 3, 1, word(8, 2)),
            (259, 3, 1, word(1, 2)), (262, 3, 1, word(1, 2)), (271, 2, 6, Array("Maker\0".utf8)),
            (273, 4, 1, word(8, 4)), (277, 3, 1, word(1, 2)), (278, 3, 1, word(4, 2)),
            (279, 4, 1, word(16, 4)), (33550, 12, 3, doubles([30, 30, 0])),
            (33922, 12, 6, doubles([0, 0, 0, 440_720, 3_751_320, 0])),
            (34264, 12, 16, doubles((0..<16).map { Double($0) })),
            (34735, 3, keys.count, keys.flatMap { word($0, 2) }),
            (34736, 12, 1, doubles([6_378_137])), (34737, 2, 8, Array("A place|".utf8)),
        ]
        let start = 24
        var values: [UInt8] = []
        var entries: [UInt8] = []
        let behind = start + 2 + 12 * tags.count + 4
        for (tag, type, count, value) in tags {
            var field = value + [UInt8](repeating: 0, count: max(0, 4 - value.count))
            if value.count > 4 {
                field = word(behind + values.count, 4)
                values += value
            }
            entries += word(tag, 2) + word(type, 2) + word(count, 4) + field
        }
        return try TestFile(
            Array("II*\0".utf8) + word(start, 4) + [UInt8](repeating: 99, count: 16)
                + word(tags.count, 2) + entries + word(0, 4) + values)
    }

    /// The GeoTIFF tags that ExifTool writes.
    private static let geography = [
        "-IFD0:PixelScale=30 30 0", "-IFD0:ModelTiePoint=0 0 0 440720 3751320 0",
    ]

    private static func originals() throws -> [(file: TestFile, count: Int)] {
        [
            (try geoTIFF(), 7),
            (try MetadataChangesTests.original(["-EXIF:Make=Maker"] + geography, "jpg"), 2),
        ]
    }

    private static func isGeography(_ tag: String) -> Bool {
        ["PixelScale", "ModelTiePoint", "ModelTransform", "GeoTiff"].contains { tag.contains($0) }
    }

    @Test(
        "GeoTIFF tags are kept in a picture of the same size",
        arguments: [MediaFormat.tiff, .jpeg, .png, .webp, .avif, .jxl])
    func geography(format: MediaFormat) throws {
        for (original, count) in try Self.originals() {
            let before = try ExifTool().read(original).filter { Self.isGeography($0.key) }
            #expect(before.count >= count, "\(before)")
            let (tags, _, omissions) = try Self.encode(original, Self.settings(format))
            #expect(tags.filter { Self.isGeography($0.key) } == before)
            #expect(tags["IFD0:Make"] == "Maker" && omissions.isEmpty)
        }
    }

    @Test("GeoTIFF tags are dropped after resizing or rotation, with a warning")
    func noGeography() throws {
        for (original, _) in try Self.originals() {
            for format in [MediaFormat.tiff, .jpeg, .png, .jxl] {
                let small = PixelSize(width: 2, height: 2)
                let (tags, _, omissions) = try Self.encode(
                    original, Self.settings(format, size: small))
                #expect(!tags.keys.contains(where: Self.isGeography), "\(tags)")
                #expect(tags["IFD0:Make"] == "Maker")
                #expect(omissions.count == 1 && omissions.first?.contains("GeoTIFF") == true)
                for omitted in [EncodeSettings.OmittedMetadata.location, .allButCopyright, .all] {
                    let (tags, file, omissions) = try Self.encode(
                        original, Self.settings(format, omitted))
                    #expect(!tags.keys.contains(where: Self.isGeography), "\(omitted)")
                    #expect(file.bytes.firstRange(of: Array("A place".utf8)) == nil)
                    #expect(omissions.isEmpty)
                }
            }
        }
        let turned = try MetadataChangesTests.original(
            ["-EXIF:Orientation=3"] + Self.geography, "tif")
        let (tags, _, omissions) = try Self.encode(turned, Self.settings(.tiff))
        #expect(!tags.keys.contains(where: Self.isGeography) && omissions.count == 1)
    }

    // MARK: - Resolution

    @Test(
        "the original's resolution is kept in inches or centimetres",
        arguments: [(118.0, "cm", 3), (300, "inches", 2), (72, "inches", 2)])
    func resolution(_ value: Double, _ name: String, _ unit: Int) throws {
        let plain = try TestPicture.image(width: 64, height: 48)
        let perMetre = value * (unit == 3 ? 100 : 1 / 0.0254)
        for (saver, ending) in [("tiffsave_buffer", "tif"), ("jpegsave_buffer", "jpg")] {
            let bytes = try plain.encoded(saver: saver, options: ["strip": true])
            let group = ending == "tif" ? "IFD0" : "JFIF"
            let number = ending == "tif" ? unit : unit - 1
            let original = try ExifTool().tagging(
                bytes, ending,
                [
                    "-\(group):XResolution=\(Int(value))", "-\(group):YResolution=\(Int(value))",
                    "-\(group):ResolutionUnit=\(number)",
                ])
            for format in [MediaFormat.jpeg, .tiff, .png] {
                let tags = try Self.encode(original, Self.settings(format)).tags
                let found =
                    format == .png
                    ? tags["PNG-pHYs:PixelsPerUnitX"].flatMap(Double.init)
                    : (tags["IFD0:XResolution"] ?? tags["JFIF:XResolution"]).flatMap(Double.init)
                        .map { resolution in
                            let unit = tags["IFD0:ResolutionUnit"].flatMap(Int.init) ?? 0
                            return resolution * (unit == 3 ? 100 : 1 / 0.0254)
                        }
                #expect(
                    found.map { abs($0 - perMetre) < 1 } == true,
                    "\(ending) \(format) \(tags.filter { $0.key.contains("esol") || $0.key.contains("PixelsPer") })"
                )
            }
        }
    }

    @Test(
        "EXIF built from the tags of a TIFF has its resolution, and no tag that the TIFF does not have",
        arguments: [MediaFormat.jpeg, .png, .webp, .avif, .jxl])
    func builtResolution(format: MediaFormat) throws {
        let bytes = try TestPicture.image(width: 64, height: 48).encoded(saver: "tiffsave_buffer")
        let original = try ExifTool().tagging(
            bytes, "tif",
            [
                "-IFD0:Make=Maker", "-IFD0:XResolution=300", "-IFD0:YResolution=200",
                "-IFD0:ResolutionUnit=2",
            ])
        let tags = try Self.encode(original, Self.settings(format)).tags
        let exif = tags.filter { $0.key.hasPrefix("IFD0:") || $0.key.hasPrefix("ExifIFD:") }
        #expect(
            exif == [
                "IFD0:Make": "Maker", "IFD0:XResolution": "300", "IFD0:YResolution": "200",
                "IFD0:ResolutionUnit": "2",
            ])
    }

    @Test("an unknown resolution becomes EXIF's 72 per inch")
    func noResolution() throws {
        let original = try TestPicture.png()
        let plain = try ExifTool().tagging(original.bytes, "png", ["-PNG-pHYs:all="])
        for format in [MediaFormat.jpeg, .tiff] {
            let tags = try Self.encode(plain, Self.settings(format)).tags
            let unit = tags["IFD0:ResolutionUnit"] == "3" ? 2.54 : 1
            let found = tags["IFD0:XResolution"].flatMap(Double.init).map { $0 * unit }
            #expect(found.map { abs($0 - 72) < 0.1 } == true, "\(format) \(tags)")
        }
    }

    // MARK: - Maker notes

    /// An EXIF block with a comment of a given length, and the note of an unknown maker with a value outside it.
    private static func block(comment: Int) -> [UInt8] {
        func word(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(number >> (8 * $0) & 0xFF) }
        }
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
            word(tag, 2) + word(type, 2) + word(count, 4) + word(value, 4)
        }
        let note =
            Array("SomeMaker note".utf8) + word(1, 2) + entry(1, 2, 16, 4) + word(0, 4)
        let start = 8 + 18 + 30
        return Array("II*\0".utf8) + word(8, 4)
            + word(1, 2) + entry(0x8769, 4, 1, 26) + word(0, 4)
            + word(2, 2) + entry(0x927C, 7, note.count, start)
            + entry(0x9286, 7, comment, start + note.count) + word(0, 4)
            + note + Array("ASCII\0\0\0".utf8)
            + [UInt8](repeating: UInt8(ascii: "c"), count: comment - 8)
    }

    @Test("a maker note that cannot be kept is reported")
    func makerNotes() throws {
        let note = Array("SomeMaker note".utf8)
        let small = try Self.jpeg([
            Self.segment(0xE1, Array("Exif\0\0".utf8) + Self.block(comment: 20))
        ])
        for format in [MediaFormat.jpeg, .png, .webp, .jxl, .tiff] {
            let (_, file, omissions) = try Self.encode(small, Self.settings(format))
            let isTIFF = format == .tiff
            #expect((file.bytes.firstRange(of: note) == nil) == isTIFF, "\(format)")
            #expect(omissions.count == (isTIFF ? 1 : 0), "\(omissions)")
            #expect(omissions.allSatisfy { $0.contains("maker note") })
        }
        #expect(try Self.encode(small, Self.settings(.tiff, .allButCopyright)).omissions.isEmpty)
        #expect(try Self.encode(small, Self.settings(.tiff, .all)).omissions.isEmpty)
    }

    @Test("a maker note too long for JPEG after a change is reported and kept in PNG")
    func longBlocks() throws {
        let note = Array("SomeMaker note".utf8)
        let large = try Self.jpeg([
            Self.segment(0xE1, Array("Exif\0\0".utf8) + Self.block(comment: 65_300))
        ])
        var settings = Self.settings(.jpeg)
        #expect(try Self.encode(large, settings).omissions.isEmpty)
        settings.metadataChanges = try MetadataChangesTests.changes()
        let (tags, file, omissions) = try Self.encode(large, settings)
        #expect(tags["ExifIFD:DateTimeOriginal"] == "2016:10:09 14:44:18")
        #expect(file.bytes.firstRange(of: note) == nil)
        #expect(
            omissions == [
                "its maker note is omitted, because the EXIF would be too long for JPEG",
                "one long value of its EXIF is omitted, because JPEG has no room",
            ])
        settings.format = .png
        let png = try Self.encode(large, settings)
        #expect(png.file.bytes.firstRange(of: note) != nil && png.omissions.isEmpty)
    }

    /// A trailer of Samsung phones with a date, a country and a video.
    private static func samsungTrailer() -> [UInt8] {
        let parts = [
            (0x0A01, "Image_UTC_Data", "1705124333853"), (0x0AA1, "MCC_Data", "310"),
            (0x0A30, "MotionPhoto_Data", String(repeating: "f", count: 40)),
        ].map { kind, name, text in
            (
                kind: [0, 0] + FileNumber.little(kind, 2),
                bytes: [0, 0] + FileNumber.little(kind, 2)
                    + FileNumber.little(name.utf8.count, 4) + name.utf8 + text.utf8
            )
        }
        var distance = parts.reduce(0) { $0 + $1.bytes.count }
        var list = Array("SEFH".utf8) + FileNumber.little(106, 4) + FileNumber.little(3, 4)
        for part in parts {
            list +=
                part.kind + FileNumber.little(distance, 4)
                + FileNumber.little(part.bytes.count, 4)
            distance -= part.bytes.count
        }
        return parts.flatMap(\.bytes) + list + FileNumber.little(list.count, 4)
            + Array("SEFT".utf8)
    }

    @Test(
        "Samsung trailer data stays in a JPEG or HEIC, except for its video",
        arguments: [MediaFormat.jpeg, .heic])
    func samsungNotes(format: MediaFormat) throws {
        let trailer = Self.samsungTrailer()
        let picture = try Self.encode(try Self.jpeg([]), Self.settings(format)).file.bytes
        let original = try TestFile(
            picture + (format == .heic ? MotionPhotoFile.box("sefd", trailer) : trailer))
        let (tags, file, _) = try Self.encode(original, Self.settings(format))
        #expect(tags["Samsung:TimeStamp"] != nil && tags["Samsung:MCCData"] == "310", "\(tags)")
        #expect(tags["Samsung:EmbeddedVideoType"] == nil && tags["ExifTool:Warning"] == nil)
        #expect(file.bytes.suffix(4).elementsEqual("SEFT".utf8))
        #expect(try file.image().width == 64)
        let elsewhere = try Self.encode(original, Self.settings(format, .location)).tags
        #expect(elsewhere["Samsung:TimeStamp"] != nil && elsewhere["Samsung:MCCData"] == nil)
        for omitted in [EncodeSettings.OmittedMetadata.allButCopyright, .all] {
            let tags = try Self.encode(original, Self.settings(format, omitted)).tags
            #expect(!tags.keys.contains { $0.hasPrefix("Samsung:") })
        }
    }

    @Test("the resolution of a TIFF is kept exactly, and its chromaticities while they are right")
    func tiffTags() throws {
        let plain = try TestPicture.image(width: 64, height: 48).encoded(
            saver: "tiffsave_buffer")
        let original = try ExifTool().tagging(
            plain, "tif",
            [
                "-XResolution=301.37", "-YResolution=299.4", "-ResolutionUnit=3",
                "-WhitePoint=0.3127 0.329",
                "-PrimaryChromaticities=0.64 0.33 0.3 0.6 0.15 0.06",
            ])
        let before = try ExifTool().read(original)
        let names = ["XResolution", "YResolution", "ResolutionUnit"].map { "IFD0:\($0)" }
        let primaries = ["WhitePoint", "PrimaryChromaticities"].map { "IFD0:\($0)" }
        var settings = Self.settings(.tiff)
        let tags = try Self.encode(original, settings).tags
        for name in names + primaries {
            #expect(before[name] != nil && tags[name] == before[name], "\(name)")
        }
        settings.profile = .displayP3
        let converted = try Self.encode(original, settings).tags
        for name in names { #expect(converted[name] == before[name], "\(name)") }
        for name in primaries { #expect(converted[name] == nil, "\(name)") }
    }

    // MARK: - No metadata

    @Test(
        "without metadata a file carries nothing but its profile",
        arguments: [MediaFormat.jpeg, .png, .tiff, .jxl])
    func nothing(format: MediaFormat) throws {
        let bytes = try TestPicture.image(width: 64, height: 48).encoded(
            saver: "jpegsave_buffer", options: ["profile": "srgb"])
        let original = try ExifTool().tagging(
            bytes, "jpg", ["-Comment=a remark"] + MetadataChangesTests.texts)
        let (tags, file, _) = try Self.encode(original, Self.settings(format, .all))
        let groups = Set(tags.keys.map { $0.split(separator: ":")[0] })
        for group in ["ExifIFD", "GPS", "IPTC", "Photoshop", "XMP-x", "XMP-dc"] {
            #expect(!groups.contains(Substring(group)), "\(groups)")
        }
        if format == .jpeg { #expect(!groups.contains("IFD0")) }
        #expect(tags["ICC-header:ProfileClass"] != nil || format == .jxl, "\(groups)")
        #expect(try file.image().pixels().count == 64 * 48 * 3)
        if format != .tiff { #expect(!tags.keys.contains { $0.hasPrefix("IFD0:") }, "\(tags)") }
    }

    @Test(
        "without metadata there is no resolution",
        arguments: [MediaFormat.jpeg, .png, .tiff, .webp, .avif, .jxl])
    func noneOfResolution(format: MediaFormat) throws {
        let bytes = try TestPicture.image(width: 64, height: 48).encoded(
            saver: "jpegsave_buffer", options: ["strip": true])
        let dense = try ExifTool().tagging(
            bytes, "jpg",
            ["-JFIF:XResolution=300", "-JFIF:YResolution=300", "-JFIF:ResolutionUnit=1"])
        let plain = try TestFile(
            try TestPicture.image(width: 64, height: 48).encoded(saver: "pngsave_buffer"))
        for original in [dense, plain] {
            let (tags, file, _) = try Self.encode(original, Self.settings(format, .all))
            // JFIF and PNG declare square pixels with these tags.
            let square = [
                "JFIF:XResolution", "JFIF:YResolution", "PNG-pHYs:PixelsPerUnitX",
                "PNG-pHYs:PixelsPerUnitY",
            ]
            for (tag, value) in tags where tag.contains("Resolution") || tag.contains("PerUnit") {
                let isUnit = tag == "JFIF:ResolutionUnit"
                #expect(square.contains(tag) && value == "1" || isUnit && value == "0", "\(tag)")
            }
            #expect(tags["PNG-pHYs:PixelUnits"] ?? "0" == "0")
            #expect(try file.image().width == 64)
        }
    }
}
