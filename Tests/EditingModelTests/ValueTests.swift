// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Testing

/// The plain values that host and runner exchange.
@Suite("Values")
struct ValueTests {
    @Test("K-01 K-03 a recipe is 1 byte to 16 MiB, with names of 1 to 255 bytes")
    func recipes() throws {
        func recipe(_ identifier: String, _ version: String, _ size: Int) throws {
            _ = try AdjustmentData(
                formatIdentifier: identifier, formatVersion: version, data: Data(count: size))
        }
        try recipe("a", "1", 1)
        try recipe("a", "1", 16 << 20)
        try recipe(String(repeating: "a", count: 255), "1", 1)
        let wrong: [(String, String, Int, AdjustmentDataError.Code)] = [
            ("a", "1", 0, .empty), ("a", "1", (16 << 20) + 1, .tooLarge), ("", "1", 1, .badName),
            ("a", "", 1, .badName), ("a\n", "1", 1, .badName),
            (String(repeating: "a", count: 256), "1", 1, .badName),
        ]
        for (identifier, version, size, code) in wrong {
            let error = #expect(throws: AdjustmentDataError.self) {
                try recipe(identifier, version, size)
            }
            #expect(error?.code == code)
        }
    }

    @Test("Positions that mean none are none")
    func positions() {
        #expect(Location(latitude: 39.1, longitude: -108.4) != nil)
        #expect(Location(latitude: 0, longitude: 0) == nil)
        #expect(Location(latitude: -180, longitude: -180) == nil)
        #expect(Location(latitude: 91, longitude: 0) == nil)
        #expect(Location(latitude: .nan, longitude: 0) == nil)
        #expect(Location(latitude: 0, longitude: 10) != nil)
    }

    @Test("Dates print as RFC 3339, the offset only where the file has one")
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

    @Test("Days are those of the proleptic Gregorian calendar, from the year 1 to 9999")
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
            // Foundation's has Julian days before 1582.
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

    @Test("Formats are told from content")
    func formats() {
        let samples: [(String, MediaFormat)] = [
            ("\u{89}PNG\r\n\u{1A}\n", .png), ("GIF89a", .gif), ("%PDF-1.7", .pdf),
            ("<svg xmlns=", .svg), ("8BPS", .psd), ("II*\0\u{8}\0\0\0\0\0", .tiff),
            ("RIFF\0\0\0\0WEBPVP8 ", .webp), ("hello, world", .unknown), ("", .unknown),
            ("\0\0\0\u{18}ftypheic\0\0\0\0", .heic), ("\0\0\0\u{18}ftypavif\0\0\0\0", .avif),
            ("\0\0\0\u{18}ftypisom\0\0\0\0", .mp4), ("\0\0\0\u{14}ftypqt  \0\0\0\0", .quickTime),
        ]
        for (text, format) in samples {
            let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
            #expect(MediaFormat(firstBytes: bytes) == format, "\(text)")
        }
        #expect(MediaFormat(firstBytes: [0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
        #expect(MediaFormat(name: "JPG") == .jpeg)
        #expect(MediaFormat(name: "tiff") == .tiff)
        #expect(MediaFormat(name: "xyz") == nil)
    }

    @Test("Packets carry what fits and point to what does not; anything else is none")
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
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var mutated = packet
            mutated[Int.random(in: 0..<16, using: &random)] = .random(in: 0...255, using: &random)
            if let (header, inline) = RunnerPacket.decode(mutated) {
                #expect(header.bodyLength <= RunnerPacket.maximumBody)
                #expect(inline.count == (header.isElsewhere ? 0 : header.bodyLength))
            }
        }
    }

    @Test("A hash is 64 lower-case hexadecimal digits")
    func hashes() {
        #expect(SHA256Digest(hex: String(repeating: "a", count: 64)) != nil)
        #expect(SHA256Digest(hex: String(repeating: "A", count: 64)) == nil)
        #expect(SHA256Digest(hex: String(repeating: "a", count: 63)) == nil)
        #expect(SHA256Digest(bytes: (0..<32).map { UInt8($0) }).hex.hasPrefix("000102030405"))
    }
}
