// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing

/// Plain values that host and runner exchange.
@Suite("values")
struct ValueTests {
    @Test("K-01 K-03 a recipe has 1 byte to 16 MiB, with names of 1 to 255 bytes")
    func recipes() throws {
        func recipe(_ identifier: String, _ version: String, _ size: Int) throws {
            _ = try AdjustmentData(
                formatIdentifier: identifier, formatVersion: version, data: Data(count: size)
            ).checked()
        }
        try recipe("a", "1", 1)
        try recipe("a", "1", 16 << 20)
        try recipe(String(repeating: "a", count: 255), "1", 1)
        let wrong: [(String, String, Int, InvalidValueError.Code)] = [
            ("a", "1", 0, .emptyAdjustmentData),
            ("a", "1", (16 << 20) + 1, .tooLargeAdjustmentData),
            ("", "1", 1, .invalidAdjustmentFormat),
            ("a", "", 1, .invalidAdjustmentFormat), ("a\n", "1", 1, .invalidAdjustmentFormat),
            (String(repeating: "a", count: 256), "1", 1, .invalidAdjustmentFormat),
        ]
        for (identifier, version, size, code) in wrong {
            let error = #expect(throws: InvalidValueError.self) {
                try recipe(identifier, version, size)
            }
            #expect(error?.code == code)
        }
    }

    @Test("invalid and placeholder locations are ignored")
    func positions() {
        #expect(Location(latitude: 39.1, longitude: -108.4) != nil)
        #expect(Location(latitude: 0, longitude: 0) == nil)
        #expect(Location(latitude: -180, longitude: -180) == nil)
        #expect(Location(latitude: 91, longitude: 0) == nil)
        #expect(Location(latitude: .nan, longitude: 0) == nil)
        #expect(Location(latitude: 0, longitude: 10) != nil)
    }

    @Test("dates print as RFC 3339, with an offset only if the file has one")
    func dates() {
        let noon = Date(timeIntervalSince1970: 1_476_024_258.445)
        #expect(CaptureDate(date: noon, offset: nil).text == "2016-10-09T14:44:18.445")
        #expect(CaptureDate(date: noon, offset: -25200).text == "2016-10-09T07:44:18.445-07:00")
        #expect(CaptureDate(date: noon, offset: 20700).text == "2016-10-09T20:29:18.445+05:45")
        let old = Date(timeIntervalSince1970: -86400.5)
        #expect(CaptureDate(date: old, offset: nil).text == "1969-12-30T23:59:59.5")
        #expect(
            CaptureDate(date: Date(timeIntervalSince1970: 0), offset: 0).text
                == "1970-01-01T00:00:00+00:00")
    }

    @Test("P-05 a date without a time is the noon of its day in every encoding, also before 1970")
    func dayAlone() throws {
        for (seconds, text) in [(0.0, "1970-01-01"), (-0.5, "1969-12-31"), (86399, "1970-01-01")] {
            let day = CaptureDate(dayOf: Date(timeIntervalSince1970: seconds))
            #expect(day.text == text && !day.hasTime && day.offset == nil && day.isWritable)
            #expect(day != CaptureDate(date: day.date, offset: nil))
            let coded = try JSONEncoder().encode(day)
            #expect(try JSONDecoder().decode(CaptureDate.self, from: coded) == day)
        }
        // A decoded day is always set to its noon. Most dates do not contain hasTime.
        func decoded(_ json: String) throws -> CaptureDate {
            try JSONDecoder().decode(CaptureDate.self, from: Data(json.utf8))
        }
        let day = try decoded(#"{"date":1,"offset":3600,"hasTime":false}"#)
        #expect(day == CaptureDate(dayOf: Date(timeIntervalSinceReferenceDate: 0)))
        #expect(try decoded(#"{"date":1,"offset":3600}"#).offset == 3600)
        let nowhere = CaptureDate(dayOf: Date(timeIntervalSince1970: .infinity))
        #expect(!nowhere.isWritable)
        #expect(!CaptureDate(dayOf: Date(timeIntervalSince1970: .nan)).isWritable)
    }

    @Test("days follow the proleptic Gregorian calendar from year 1 to 9999")
    func days() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        var previous = CalendarDay(daysSinceEpoch: -719_162)
        #expect(previous == CalendarDay(year: 1, month: 1, day: 1))
        #expect(
            CalendarDay(daysSinceEpoch: 2_932_896) == CalendarDay(year: 9999, month: 12, day: 31))
        for number in -719_161...80_000 {
            let day = CalendarDay(daysSinceEpoch: number)
            if day.daysSinceEpoch != number || day == previous { Issue.record("day \(number)") }
            if day.day > 1, day.day != previous.day + 1 { Issue.record("day \(number)") }
            previous = day
            // Foundation's calendar has Julian days before 1582.
            guard number > -140_000, number % 997 == 0 else { continue }
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: Double(number) * 86400))
            #expect(parts.year == day.year && parts.month == day.month && parts.day == day.day)
        }
        for (year, month, day) in [
            (2023, 2, 29), (1900, 2, 29), (0, 1, 1), (10_000, 1, 1), (2024, 13, 1), (2024, 4, 31),
        ] {
            #expect(CalendarDay(year: year, month: month, day: day) == nil)
        }
    }

    /// The first page of an Ogg stream with Skeleton.
    private static let skeleton = Array("fishead".utf8) + [UInt8](repeating: 0, count: 57)
    private static let theora = [0x80] + Array("theora".utf8)
    private static let opus = Array("OpusHead".utf8)

    /// Pages of Ogg streams, by default with the flag of a first page.
    private static func ogg(_ contents: [[UInt8]], flags: UInt8 = 2) -> [UInt8] {
        contents.flatMap { content -> [UInt8] in
            var page = Array("OggS\0".utf8) + [flags] + [UInt8](repeating: 0, count: 20)
            page += [1, UInt8(content.count)]
            return page + content
        }
    }

    /// The starts of files, by media type.
    private static let media: [(MediaType, [[UInt8]])] = [
        (
            .video,
            [
                [0, 0, 0, 24] + Array("ftypisom".utf8) + [0, 0, 0, 0],
                [0, 0, 0, 20] + Array("ftypqt  ".utf8) + [0, 0, 0, 0],
                [0, 0, 0, 24] + Array("ftyp3gp4".utf8) + [0, 0, 0, 0],
                [0, 0, 1, 0] + Array("moov".utf8), [0x1A, 0x45, 0xDF, 0xA3, 0x9F],
                Array("RIFF\0\0\0\0AVI LIST".utf8), Array("FLV\u{1}\u{5}".utf8),
                Array(".RMF".utf8), [0, 0, 1, 0xBA, 0x44], [0, 0, 1, 0xB3, 0x14],
                [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6],
                Array((0..<600).map { $0 % 188 == 0 ? 0x47 : 0 }),
                Array((0..<600).map { $0 % 192 == 4 ? 0x47 : 0 }),
                ogg([theora]), ogg([Array("OVP80".utf8)]), ogg([skeleton, theora]),
                ogg([opus, Array("BBCD\0".utf8)]),
            ]
        ),
        (
            .audio,
            [
                Array("ID3\u{4}".utf8), Array("fLaC".utf8), Array("RIFF\0\0\0\0WAVEfmt ".utf8),
                Array("RF64\0\0\0\0WAVEds64".utf8), Array("FORM\0\0\0\0AIFF".utf8),
                ogg([[1] + Array("vorbis".utf8)]), ogg([skeleton, opus]),
                ogg([opus]) + ogg([theora], flags: 0),
                [0, 0, 0, 24] + Array("ftypM4A ".utf8) + [0, 0, 0, 0],
                [0xFF, 0xFB, 0x90, 0x64], [0xFF, 0xF1, 0x50, 0x80], Array("#!AMR\n".utf8),
                Array("caff\0\u{1}".utf8), Array("MThd\0\0".utf8), Array(".snd".utf8),
            ]
        ),
        (
            .unknown,
            [
                [], Array("hello, world".utf8), Array("%PDF-1.7".utf8), [0x1F, 0x8B, 8],
                [0xFF, 0xFE] + "ABCD".utf8.flatMap { [$0, 0] },
                [0xFF, 0xFE] + "<?xml version".utf8.flatMap { [$0, 0] },
                Array("RIFF\0\0\0\0NONE".utf8), [0x47] + Array(repeating: 0, count: 600),
            ]
        ),
        (
            .image,
            [
                [0xFF, 0xD8, 0xFF, 0xE1], Array("GIF89a".utf8), Array("II*\0".utf8) + [8, 0, 0, 0],
                [0, 0, 0, 24] + Array("ftypheic".utf8) + [0, 0, 0, 0],
                [0, 0, 0, 24] + Array("ftypcrx ".utf8) + [0, 0, 0, 0],
            ]
        ),
    ]

    @Test("P-01 image, video and audio are detected by container; UTF-16 text is unknown")
    func mediaTypes() {
        for (type, samples) in Self.media {
            for bytes in samples {
                let format = MediaFormat(firstBytes: bytes)
                #expect(format.mediaType == type, "\(bytes.prefix(16)) is \(format)")
            }
        }
        #expect(MediaFormat.allCases.filter { !$0.determinesMediaType } == [.gzip, .unknown])
    }

    @Test("formats are detected from content")
    func formats() {
        let samples: [(String, MediaFormat)] = [
            ("\u{89}PNG\r\n\u{1A}\n", .png), ("GIF89a", .gif), ("%PDF-1.7", .pdf),
            ("<svg xmlns=", .svg), ("8BPS", .psd), ("II*\0\u{8}\0\0\0\0\0", .tiff),
            ("RIFF\0\0\0\0WEBPVP8 ", .webp), ("hello, world", .unknown), ("", .unknown),
            ("\0\0\0\u{18}ftypheic\0\0\0\0", .heic), ("\0\0\0\u{18}ftypavif\0\0\0\0", .avif),
            ("\0\0\0\u{18}ftypisom\0\0\0\0", .mp4), ("\0\0\0\u{14}ftypqt  \0\0\0\0", .quickTime),
            ("RIFF\0\0\0\0AVI LIST", .avi), ("\0\0\u{1}\u{BA}D", .mpeg),
            ("\0\0\u{1}\u{B3}", .video), ("0&\u{B2}u\u{8E}f\u{CF}\u{11}", .wmv),
            ("\u{1A}E\u{DF}\u{A3}\u{9F}B\u{82}\u{84}webm", .webm),
            ("\u{1A}E\u{DF}\u{A3}\u{9F}B\u{82}\u{88}matroska", .matroska),
        ]
        for (text, format) in samples {
            let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
            #expect(MediaFormat(firstBytes: bytes) == format, "\(text)")
        }
        #expect(MediaFormat(firstBytes: [0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
        for lead in [0, 4] {
            let packet =
                [UInt8](repeating: 0, count: lead) + [0x47] + [UInt8](repeating: 0, count: 187)
            #expect(MediaFormat(firstBytes: packet + packet + packet) == .mpegts)
            #expect(MediaFormat(firstBytes: packet + packet) == .unknown)
        }
        #expect(MediaFormat(name: "JPG") == .jpeg)
        #expect(MediaFormat(name: "tiff") == .tiff)
        #expect(MediaFormat(name: "xyz") == nil)
    }

    @Test("packets carry or reference their data; malformed ones are rejected")
    func packets() throws {
        let body = Data("{}".utf8)
        let packet = RunnerPacket.encode(number: 7, body: body)
        let (header, inline) = try #require(RunnerPacket.decode(packet))
        #expect(header.number == 7 && header.bodyLength == 2 && !header.isElsewhere)
        #expect(inline == body)
        let large = RunnerPacket.encode(
            number: 8, body: Data(count: RunnerPacket.maximumInline + 1))
        #expect(large.count == RunnerPacket.headerLength)
        #expect(RunnerPacket.decode(large)?.header.isElsewhere == true)
        #expect(RunnerPacket.decode(packet.dropLast()) == nil)
        #expect(RunnerPacket.decode(packet + [0]) == nil)
        var random = SeededGenerator(seed: TestSeed.seed())
        for _ in 0..<2000 {
            var mutated = packet
            mutated[Int.random(in: 0..<16, using: &random)] = .random(in: 0...255, using: &random)
            if let (header, inline) = RunnerPacket.decode(mutated) {
                #expect(header.bodyLength <= RunnerPacket.maximumBody)
                #expect(inline.count == (header.isElsewhere ? 0 : header.bodyLength))
            }
        }
    }

    @Test("recipes follow the message's JSON as bytes, which stays short")
    func messages() throws {
        func recipe(_ name: String, _ data: Data) -> AdjustmentData {
            AdjustmentData(formatIdentifier: name, formatVersion: "1", data: data)
        }
        let recipes = [
            recipe("a", Data([0, 1, 0])), recipe("b", Data()),
            recipe("c", Data(repeating: 0x2C, count: 16 << 20)), recipe("d", Data("{}".utf8)),
        ]
        let steps = recipes.map { RenderStep(extensionIdentifier: "x", adjustmentData: $0) }
        let body = try MessageBody.encode(steps)
        let length = try #require(body.firstIndex(of: 0))
        #expect(length < 1000)
        #expect(body[(length + 1)...] == recipes.reduce(Data()) { $0 + $1.data })
        #expect(try MessageBody.decode([RenderStep].self, from: body) == steps)
        // Truncated, or without the data that the JSON refers to.
        for part in [body.dropLast(), body.prefix(length), body.prefix(length + 1)] {
            #expect(throws: DecodingError.self) {
                try MessageBody.decode([RenderStep].self, from: Data(part))
            }
        }
        for (start, count) in [(-1, 1), (0, -1), (.max, 1), (1, Int.max), (0, 2)] {
            let json =
                #"{"formatIdentifier":"a","formatVersion":"1","start":\#(start),"count":\#(count)}"#
            #expect(throws: DecodingError.self, "\(start) \(count)") {
                try MessageBody.decode(AdjustmentData.self, from: Data((json + "\0r").utf8))
            }
        }
        // A recipe has no JSON of its own that could be mistaken for it.
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(recipes[0]) }
        let long = Data(("[" + String(repeating: "0,", count: 1 << 20) + "0]").utf8)
        #expect(throws: DecodingError.self) { try MessageBody.decode([Int].self, from: long) }
        #expect(throws: EncodingError.self) {
            try MessageBody.encode([String(repeating: "x", count: 2 << 20)])
        }
    }

    @Test("a hash has 64 lower-case hexadecimal digits")
    func hashes() {
        #expect(SHA256Digest(hex: String(repeating: "a", count: 64)) != nil)
        #expect(SHA256Digest(hex: String(repeating: "A", count: 64)) == nil)
        #expect(SHA256Digest(hex: String(repeating: "a", count: 63)) == nil)
        #expect(SHA256Digest(bytes: (0..<32).map { UInt8($0) }).hex.hasPrefix("000102030405"))
    }

    private struct Failure: DescribedError {
        let code = 1
        let message: String
        let subjects: [ErrorSubject]
    }

    @Test("an error names its subject once")
    func subjects() {
        func words(_ message: String, _ subjects: ErrorSubject...) -> String {
            Failure(message: message, subjects: subjects).description
        }
        // The identifier "a" occurs in the text only by coincidence.
        #expect(words("there is no such asset", .asset("a")) == "asset a: there is no such asset")
        #expect(words("asset a1 is gone", .asset("a1")) == "asset a1 is gone")
        #expect(
            words("it failed", .asset("a1"), .editingExtension("org.x"))
                == "asset a1: org.x: it failed")
        #expect(
            words("org.x failed", .asset("a1"), .editingExtension("org.x"))
                == "asset a1: org.x failed")
        #expect(words("it is away", .asset("a1"), .file("/p")) == "asset a1: it is away (/p)")
    }
}
