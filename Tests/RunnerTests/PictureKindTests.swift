// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport
import Testing

/// Photo kinds, by the data that files contain or declare in addition to the picture.
@Suite("photo kinds") struct PictureKindTests {
    @Test(
        "XMP marks a gain map or depth effect, but not a video",
        arguments: [
            ("GCamera:MotionPhoto=\"1\"", "", []), ("Camera:MotionPhoto='1'", "", []),
            ("GCamera:MicroVideo=\"1\"", "", []),
            ("", "<GCamera:MotionPhoto>1</GCamera:MotionPhoto>", []),
            ("hdrgm:Version=\"1.0\"", "", .photoHDR),
            ("", "<hdrgm:Version>1.0</hdrgm:Version>", .photoHDR),
            ("", "<HDRGainMap:HDRGainMapVersion>65536</HDRGainMap:HDRGainMapVersion>", .photoHDR),
            ("hdrgm:Version=\"1.0\" GCamera:MotionPhoto=\"1\"", "", .photoHDR),
            (
                "",
                "<GCamera:SpecialTypeID><rdf:Bag><rdf:li>com.google.android.apps.camera.gallery."
                    + "specialtype.SpecialType-PORTRAIT</rdf:li></rdf:Bag></GCamera:SpecialTypeID>",
                .photoDepthEffect
            ),
            ("exif:UserComment=\"Screenshot\"", "", .photoScreenshot),
            ("", "<exif:UserComment>Screenshot</exif:UserComment>", .photoScreenshot),
        ] as [(String, String, MediaSubtype)])
    func packets(_ attributes: String, _ elements: String, _ expected: MediaSubtype) throws {
        let facts = try PictureFacts.described(by: elements, attributes: attributes)
        #expect(facts.mediaSubtypes == expected)
    }

    @Test(
        "a screenshot is detected in every format by EXIF or XMP",
        arguments: ["jpeg", "png", "heic", "tiff", "webp"])
    func screenshots(_ format: String) throws {
        for tag in ["-EXIF:UserComment=Screenshot", "-XMP-exif:UserComment=Screenshot"] {
            let facts = try PictureFacts.tagged([tag], format: format)
            #expect(facts.mediaSubtypes == .photoScreenshot, "\(tag)")
        }
    }

    // MARK: - Boxes

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        FileNumber.big(content.count + 8, 4) + Array(type.utf8) + content
    }

    @Test("auxiliary HEIF pictures declare their purpose")
    func auxiliaryPictures() throws {
        let picture = try PictureFacts.picture("heic")
        for (type, expected) in [
            ("urn:com:apple:photo:2020:aux:hdrgainmap", MediaSubtype.photoHDR),
            ("urn:com:apple:photo:2018:aux:portraiteffectsmatte", .photoDepthEffect),
            ("urn:mpeg:hevc:2015:auxid:1", []), ("", []), (String(repeating: "u", count: 5000), []),
        ] {
            let file = try Self.adding(
                Self.box("auxC", [0, 0, 0, 0] + Array(type.utf8) + [0]), to: picture)
            #expect(try PictureFacts.of(try TestFile(file)).mediaSubtypes == expected, "\(type)")
        }
    }

    @Test("auxiliary HEIF pictures are listed without alpha")
    func companions() throws {
        let picture = try PictureFacts.picture("heic")
        for (type, expected) in [
            ("urn:com:apple:photo:2020:aux:hdrgainmap", PhotoFacts.Companion.gainMap),
            ("urn:com:apple:photo:2018:aux:portraiteffectsmatte", .mattes),
            ("urn:com:apple:photo:2019:aux:semantichairmatte", .mattes),
            ("urn:mpeg:hevc:2015:auxid:2", .depthData),
            ("urn:mpeg:mpegB:cicp:systems:auxiliary:depth", .depthData),
            ("urn:mpeg:hevc:2015:auxid:1", nil),
            ("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", nil), ("", nil),
        ] {
            let file = try Self.adding(
                Self.box("auxC", [0, 0, 0, 0] + Array(type.utf8) + [0]), to: picture)
            let facts = try PictureFacts.of(try TestFile(file))
            #expect(facts.companions == expected.map { [$0] }, "\(type)")
        }
    }

    @Test("messages about losses count frames, pages and pictures")
    func losses() throws {
        var facts = try PictureFacts.of(try TestFile(try PictureFacts.picture("tiff")))
        #expect(facts.losses == [])
        for (format, count, words) in [
            (MediaFormat.tiff, 2, "the other page"), (.tiff, 3, "the other 2 pages"),
            (.heic, 11, "the other 10 pictures"), (.gif, 5, "the other 4 frames"),
        ] {
            facts.format = format
            facts.frameCount = count
            #expect(facts.losses == [words])
        }
        facts.companions = [.mattes, .gainMap]
        #expect(facts.losses.count == 3 && facts.losses[0].hasPrefix("the gain map"))
    }

    /// A HEIF file with one more property after the others. The enclosing boxes are appended, so that no
    /// other data moves.
    private static func adding(_ property: [UInt8], to file: [UInt8]) throws -> [UInt8] {
        let starts = try ["meta", "iprp", "ipco"].map { type in
            try #require(file.firstRange(of: Array(type.utf8))).lowerBound - 4
        }
        func length(_ start: Int) -> Int { file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        var meta = Array(file[starts[0]..<starts[0] + length(starts[0])])
        for start in starts {
            meta.replaceSubrange(
                start - starts[0]..<start - starts[0] + 4,
                with: FileNumber.big(length(start) + property.count, 4))
        }
        meta.insert(contentsOf: property, at: starts[2] + length(starts[2]) - starts[0])
        var rest = file
        rest.replaceSubrange(starts[0] + 4..<starts[0] + 8, with: Array("free".utf8))
        return rest + meta
    }

    @Test("an ISO gain map in HEIF is detected by its brand")
    func brand() throws {
        var picture = try PictureFacts.picture("heic")
        // The first compatible brand follows the size, the type, the major brand and its version.
        picture.replaceSubrange(16..<20, with: Array("tmap".utf8))
        #expect(try PictureFacts.of(try TestFile(picture)).mediaSubtypes == .photoHDR)
    }

    @Test("an ISO gain map in HEIF is detected by its item")
    func item() throws {
        var picture = try ExifTool().tagging(
            try PictureFacts.picture("heic"), "heic", ["-EXIF:Make=Maker"]
        ).bytes
        #expect(try PictureFacts.of(try TestFile(picture)).mediaSubtypes == [])
        // An entry of the item list has a version and flags, a number, a protection and a type.
        let entry = try #require(
            picture.indices.dropLast(16).first {
                picture[$0..<$0 + 4].elementsEqual("infe".utf8)
                    && picture[$0 + 12..<$0 + 16].elementsEqual("Exif".utf8)
            })
        picture.replaceSubrange(entry + 12..<entry + 16, with: Array("tmap".utf8))
        #expect(try PictureFacts.of(try TestFile(picture)).mediaSubtypes == .photoHDR)
    }

    @Test("a JPEG XL gain map is detected by its box")
    func jxl() throws {
        let tagged = try ExifTool().tagging(
            try PictureFacts.picture("jxl"), "jxl", ["-XMP-xmp:Rating=1"])
        #expect(try PictureFacts.of(tagged).mediaSubtypes == [])
        let file = try TestFile(tagged.bytes + Self.box("jhgm", [0, 0, 0]))
        #expect(try PictureFacts.of(file).mediaSubtypes == .photoHDR)
    }

    // MARK: - JPEG

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker] + FileNumber.big(content.count + 2, 2) + content
    }

    private static func adding(_ segments: [UInt8], toJPEG file: [UInt8]) -> [UInt8] {
        Array(file.prefix(2)) + segments + file.dropFirst(2)
    }

    /// A picture with a multi-picture list, followed by another picture.
    private static func pictures(
        _ second: [UInt8], isBigEndian: Bool = true, place: Int? = nil, count: Int = 2,
        length: Int? = nil
    ) throws -> [UInt8] {
        let number = isBigEndian ? FileNumber.big : FileNumber.little
        let first = try PictureFacts.picture()
        let mark = Array("MPF\0".utf8)
        func list(_ place: Int) -> [UInt8] {
            var list = Array((isBigEndian ? "MM" : "II").utf8) + number(42, 2)
            list += number(8, 4) + number(1, 2)
            list += number(0xB002, 2) + number(7, 2)
            list += number(length ?? count * 16, 4) + number(26, 4) + number(0, 4)
            for index in 0..<count {
                list += number(0, 4) + number(1000, 4)
                list += number(index == 0 ? 0 : place, 4) + number(0, 4)
            }
            return list
        }
        // The marker and the length precede the signature.
        let start = 2 + 4 + mark.count
        let whole = first.count + 4 + mark.count + list(0).count
        let segment = segment(0xE2, mark + list(place ?? whole - start))
        return adding(segment, toJPEG: first) + second
    }

    private static let gainMap = adding(
        segment(
            0xE1,
            Array("http://ns.adobe.com/xap/1.0/\0".utf8)
                + Array(
                    PictureFacts.packet(
                        "<HDRGainMap:HDRGainMapVersion>131072</HDRGainMap:HDRGainMapVersion>"
                            + "<apdi:AuxiliaryImageType>urn:com:apple:photo:2020:aux:hdrgainmap"
                            + "</apdi:AuxiliaryImageType><GCamera:MotionPhoto>1</GCamera:MotionPhoto>"
                    ).utf8)), toJPEG: [0xFF, 0xD8, 0xFF, 0xD9])

    private static let iso = segment(
        0xE2, Array("urn:iso:std:iso:ts:21496:-1\0".utf8) + [0, 0, 0, 0])

    private func kinds(_ bytes: [UInt8]) throws -> MediaSubtype {
        try PictureFacts.of(try TestFile(bytes)).mediaSubtypes
    }

    @Test("a JPEG gain map is detected by ISO's segment or its own metadata")
    func gainMaps() throws {
        let plain = try PictureFacts.picture()
        #expect(try kinds(Self.adding(Self.iso, toJPEG: plain)) == .photoHDR)
        #expect(try kinds(try Self.pictures(Self.gainMap)) == .photoHDR)
        #expect(try kinds(try Self.pictures(Self.gainMap, isBigEndian: false)) == .photoHDR)
        let second = Self.adding(Self.iso, toJPEG: plain)
        #expect(try kinds(try Self.pictures(second)) == .photoHDR)
        // The second picture may also be that of a stereo camera, or a preview.
        #expect(try kinds(try Self.pictures(plain)) == [])
    }

    @Test("inconsistent picture lists are ignored")
    func lyingLists() throws {
        for place in [1, 7, 100_000, 0x7FFF_FFFF, 0xFFFF_FFFF] {
            #expect(try kinds(try Self.pictures(Self.gainMap, place: place)) == [], "\(place)")
        }
        #expect(try kinds(try Self.pictures(Self.gainMap, length: 0xFFFF_FFFF)) == [])
        #expect(try kinds(try Self.pictures(Self.gainMap, length: 15)) == [])
        // Thousands of entries for the same picture, which has thousands of segments.
        let fills = (0..<10_000).flatMap { _ in Self.segment(0xE5, []) }
        let many = Self.adding(fills, toJPEG: Self.gainMap)
        var used = 0.0
        let file = try TestFile(try Self.pictures(many, count: 4000))
        #expect(try PictureFacts.of(file, used: { used = $0 }).mediaSubtypes == [])
        #expect(used < 2)
    }

    @Test("mutated segments and trailers are harmless")
    func random() throws {
        let seed = TestSeed.seed()
        var random = SeededGenerator(seed: seed)
        let picture = try Self.pictures(Self.gainMap)
        let lists = picture.prefix(200).count
        #expect(
            try kinds(picture + MotionPhotoFile.trailer(Array("no video".utf8))) == .photoHDR)
        for _ in 0..<20 {
            var bytes = picture + MotionPhotoFile.trailer(Array("no video".utf8))
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place =
                    Bool.random(using: &random)
                    ? Int.random(in: 6..<lists, using: &random)
                    : Int.random(in: picture.count..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            let reply = try? kinds(bytes)
            #expect(
                reply == nil || reply?.isSubset(of: [.photoHDR, .photoLive]) == true, "seed \(seed)"
            )
        }
    }
}
