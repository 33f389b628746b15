// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Testing

/// Dates that are incomplete in a file.
@Suite("partial dates") struct PartialDateTests {
    private func date(_ arguments: [String]) throws -> String? {
        let date = try PictureFacts.tagged(arguments).creationDate
        #expect(date?.hasTime != true)
        return date?.text
    }

    @Test(
        "EXIF with zeros or spaces for unknown parts means the first of the month or year",
        arguments: [
            ("2024:05:00 00:00:00", "2024-05-01"), ("2024:00:00 00:00:00", "2024-01-01"),
            ("2024:00:15 00:00:00", "2024-01-01"), ("2024:05:     :  :  ", "2024-05-01"),
            ("2024:  :     :  :  ", "2024-01-01"), ("2024:05:  ", "2024-05-01"),
            ("2024:05:00 10:11:12", "2024-05-01"), ("2024", "2024-01-01"),
            ("2024:13:00 00:00:00", nil), ("2024:00:00 junk", nil), ("1234 Main Street", nil),
            ("0000:00:00 00:00:00", nil), ("0000:05:00", nil), ("    :  :     :  :  ", nil),
        ] as [(String, String?)])
    func exif(_ text: String, _ expected: String?) throws {
        #expect(try date(["-EXIF:DateTimeOriginal#=\(text)"]) == expected)
    }

    @Test(
        "XMP may omit the day and the month",
        arguments: [
            ("2024", "2024-01-01"), ("2024-05", "2024-05-01"), ("2024-05-06", "2024-05-06"),
            ("2024-05T10:00:00Z", "2024-05-01"), ("2024-00-00", "2024-01-01"), ("24-05", nil),
            ("2024-13", nil), ("2024-", "2024-01-01"), ("20240506", nil),
        ] as [(String, String?)])
    func xmp(_ text: String, _ expected: String?) throws {
        let facts = try PictureFacts.described(
            by: "<photoshop:DateCreated>\(text)</photoshop:DateCreated>")
        #expect(facts.creationDate?.text == expected)
        #expect(facts.creationDate?.hasTime != true)
    }

    @Test(
        "IPTC has zeros for unknown parts",
        arguments: [
            ("20240500", "2024-05-01"), ("20240000", "2024-01-01"), ("20240506", "2024-05-06"),
            ("00000000", nil), ("20241300", nil), ("+2024050", nil), ("2024", "2024-01-01"),
            ("202405", "2024-05-01"), ("2024-05", "2024-05-01"),
        ] as [(String, String?)])
    func iptc(_ text: String, _ expected: String?) throws {
        let records =
            [UInt8](arrayLiteral: 0x1C, 2, 55) + FileNumber.big(text.utf8.count, 2) + text.utf8
        let tool = try ExifTool()
        let path = try tool.file(records, "records")
        let facts = try PictureFacts.tagged(["-IPTC<=\(path)"], tool)
        #expect(facts.creationDate?.text == expected)
    }

    @Test("a GPS time without a day is ignored")
    func satellites() throws {
        let whole = ["-GPS:GPSDateStamp=2024:05:06", "-GPS:GPSTimeStamp=07:08:09"]
        #expect(try PictureFacts.tagged(whole).creationDate?.text == "2024-05-06T07:08:09+00:00")
        let part = ["-GPS:GPSDateStamp#=2024:05:00", "-GPS:GPSTimeStamp=07:08:09"]
        #expect(try date(part) == "2024-05-01")
    }
}
