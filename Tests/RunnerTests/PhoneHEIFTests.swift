// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing
import Vips

/// HEIF files as written by current phones.
@Suite("phone HEIF")
struct PhoneHEIFTests {
    private static let tags = [
        "-EXIF:DateTimeOriginal=2025:10:12 23:36:14", "-EXIF:OffsetTimeOriginal=+13:00",
        "-EXIF:Make=Maker", "-EXIF:GPSLatitude=37.75", "-EXIF:GPSLatitudeRef=S",
        "-EXIF:GPSLongitude=175.25", "-EXIF:GPSLongitudeRef=E", "-XMP-dc:Subject=harbour",
    ]

    private static func original() throws -> [UInt8] {
        let picture = try TestPicture.image(width: 64, height: 48)
        let bytes = try picture.encoded(saver: "heifsave_buffer", options: ["lossless": true])
        return try ExifTool().tagging(bytes, "heic", tags).bytes
    }

    private static func run(
        _ file: TestFile, _ output: RenderOutput, into target: TestFile? = nil
    ) throws -> RenderReport {
        let job = RenderJob(input: RenderInput(base: .encoded(.unknown)), output: output)
        let reply = try TestRunner().request(
            .run(job),
            [(.base, file.number), (.metadataSource, file.number)]
                + (target.map { [(.output, $0.number)] } ?? []))
        guard case .rendered(let report) = reply else { throw unexpected(reply) }
        return report
    }

    private func expectFacts(_ facts: PhotoFacts?, _ comment: Comment) throws {
        let facts = try #require(facts, comment)
        #expect(facts.pixelWidth == 64 && facts.pixelHeight == 48, comment)
        #expect(facts.creationDate?.text == "2025-10-12T23:36:14+13:00", comment)
        #expect(facts.location?.latitude == -37.75, comment)
        #expect(facts.location?.longitude == 175.25, comment)
        #expect(facts.metadata?.cameraMake == "Maker", comment)
        #expect(facts.metadata?.keywords == ["harbour"], comment)
    }

    @Test("metadata that belongs to several items hides neither the picture nor itself")
    func references() throws {
        let original = try Self.original()
        let file = try TestFile(HEIFEditor(original).doublingReferences("cdsc"))
        try expectFacts(try Self.run(file, .facts).facts, "several references")

        let target = try TestFile()
        _ = try Self.run(file, .encoded(EncodeSettings(format: .png)), into: target)
        let expected = try TestFile(original).image().samples()
        #expect(try target.image().samples() == expected)
        let tags = try ExifTool().read(target)
        #expect(tags["IFD0:Make"] == "Maker" && tags["XMP-dc:Subject"] == "harbour")
        #expect(tags["ExifIFD:DateTimeOriginal"] == "2025:10:12 23:36:14")
    }

    @Test("an EXIF item declares the offset of its header", arguments: [0, 6, 10, 200])
    func header(offset: Int) throws {
        let file = try TestFile(HEIFEditor(Self.original()).movingHeader(to: offset))
        try expectFacts(try Self.run(file, .facts).facts, "\(offset)")
        let target = try TestFile()
        _ = try Self.run(file, .encoded(EncodeSettings(format: .jpeg)), into: target)
        #expect(try ExifTool().read(target)["IFD0:Make"] == "Maker")
    }

    @Test("a file that still fails after the repair is rejected with one sentence")
    func broken() throws {
        let bytes = try HEIFEditor(Self.original()).doublingReferences("cdsc")
        // The picture's data lies before the boxes that were moved.
        let data = try #require(bytes.firstRange(of: Array("mdat".utf8))).upperBound
        let end = try #require(bytes.ranges(of: Array("meta".utf8)).last).lowerBound - 4
        var broken = bytes
        for place in data..<end { broken[place] ^= 0x55 }
        let file = try TestFile(broken)
        let error = #expect(throws: (any Error).self) { try Self.run(file, .facts) }
        let words = "\(try #require(error))"
        #expect(!words.contains("bad seek") && !words.contains("\n"), "\(words)")
    }

    @Test("an item longer than the file is rejected or ignored", arguments: [0xFF, 0x7F])
    func endlessItem(first: UInt8) throws {
        let length = [first] + [UInt8](repeating: 0xFF, count: 3)
        let file = try TestFile(try HEIFEditor(Self.original()).lengtheningHeader(to: length))
        let job = RenderJob(input: RenderInput(base: .encoded(.unknown)), output: .facts)
        let reply = try withExtendedLifetime(file) {
            try TestRunner().request(.run(job), [(.base, file.number)])
        }
        switch reply {
        case .rendered, .failed: break
        default: throw unexpected(reply)
        }
    }

    @Test("random inconsistent boxes are rejected or read without a trap")
    func random() throws {
        let original = try HEIFEditor(Self.original()).doublingReferences("cdsc")
        let place = try #require(original.firstRange(of: Array("iref".utf8))?.lowerBound)
        var random = SeededGenerator(seed: TestSeed.seed())
        let runner = try TestRunner()
        for _ in 0..<200 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let range = max(0, place - 300)..<min(bytes.count, place + 300)
                bytes[Int.random(in: range, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            let job = RenderJob(input: RenderInput(base: .encoded(.unknown)), output: .facts)
            let file = try TestFile(bytes)
            let reply = try withExtendedLifetime(file) {
                try runner.request(.run(job), [(.base, file.number)])
            }
            switch reply {
            case .rendered, .failed: break
            default: throw unexpected(reply)
            }
        }
    }
}

/// Rewrites boxes of a HEIF file. They are appended, so that no other data moves.
private struct HEIFEditor {
    private let bytes: [UInt8]
    private let meta: Range<Int>

    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        let type = try #require(bytes.firstRange(of: Array("meta".utf8)))
        let start = type.lowerBound - 4
        meta = start..<start + Self.number(bytes[start..<start + 4])
    }

    /// The file with every reference of a type listing its target twice.
    func doublingReferences(_ type: String) throws -> [UInt8] {
        var box = Array(bytes[meta])
        var references = 0
        var place = 0
        while let found = box[place...].firstRange(of: Array(type.utf8)) {
            // A reference has a size, a type, and two bytes each for the referring item, the count and the targets.
            let start = found.lowerBound - 4
            place = found.upperBound
            guard Self.number(box[start..<start + 4]) == 14 else { continue }
            box.replaceSubrange(start..<start + 4, with: [0, 0, 0, 16])
            box.replaceSubrange(start + 10..<start + 12, with: [0, 2])
            box.insert(contentsOf: box[start + 12..<start + 14], at: start + 14)
            references += 1
        }
        #expect(references > 0, "there is no \(type)")
        let container = try #require(box.firstRange(of: Array("iref".utf8))).lowerBound - 4
        for start in [0, container] {
            let size = Self.number(box[start..<start + 4]) + 2 * references
            box.replaceSubrange(start..<start + 4, with: Self.bytes(size))
        }
        return replacing(box, adding: [])
    }

    /// The file with its EXIF header at an offset from the field that declares this offset.
    func movingHeader(to offset: Int) throws -> [UInt8] {
        let make = try #require(bytes.firstRange(of: Array("Maker".utf8))).lowerBound
        let header = try #require(
            (0..<make).last {
                ["II*\0", "MM\0*"].contains(String(decoding: bytes[$0..<$0 + 4], as: UTF8.self))
            })
        var box = Array(bytes[meta])
        let (start, entry) = try #require(
            [header - 4, header - 10].lazy.compactMap { start in
                box.firstRange(of: Self.bytes(start)).map { (start, $0.lowerBound) }
            }.first)
        // ExifTool writes the position as the base of a single extent, followed by its offset and length.
        let length = entry + 10..<entry + 14
        let size = Self.number(box[length])
        let content = bytes[header..<start + size]
        let item = Self.bytes(offset) + [UInt8](repeating: 0x20, count: offset) + content
        box.replaceSubrange(entry..<entry + 4, with: Self.bytes(bytes.count + 8))
        box.replaceSubrange(length, with: Self.bytes(item.count))
        return replacing(
            box, adding: Self.bytes(item.count + 8) + Array("mdat".utf8) + item)
    }

    /// The file whose EXIF item declares this length.
    func lengtheningHeader(to length: [UInt8]) throws -> [UInt8] {
        let make = try #require(bytes.firstRange(of: Array("Maker".utf8))).lowerBound
        var box = Array(bytes[meta])
        let places = (max(0, make - 200)..<make).compactMap { start in
            box.firstRange(of: Self.bytes(start))?.lowerBound
        }
        let entry = try #require(places.first)
        box.replaceSubrange(entry + 10..<entry + 14, with: length)
        return replacing(box, adding: [])
    }

    private func replacing(_ box: [UInt8], adding added: [UInt8]) -> [UInt8] {
        var file = bytes
        file.replaceSubrange(meta.lowerBound + 4..<meta.lowerBound + 8, with: Array("free".utf8))
        return file + added + box
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    private static func bytes(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
