// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The date in IPTC-IIM data, which JPEG files wrap into Photoshop's image resources.
struct IPTCRecords {
    private let bytes: Bytes

    init(_ block: [UInt8]) { bytes = Bytes(block) }

    /// DateCreated 2:55 with TimeCreated 2:60. A time without a date is no date.
    var captureDate: CaptureDate? {
        let records = records
        return records[60].flatMap { DateText.parse(iptcDay: records[55], time: $0) }
    }

    /// DateCreated alone.
    var captureDay: CaptureDate? { DateText.parse(iptcDay: records[55], time: nil) }

    /// The application records by their dataset numbers.
    private var records: [Int: String] {
        var found: [Int: String] = [:]
        var place = start
        while bytes[place] == 0x1C, let record = bytes[place + 1], let dataset = bytes[place + 2],
            let length = bytes.number(place + 3, 2, bigEndian: true).map(Int.init),
            length < 0x8000, let value = bytes.slice(place + 5, length)
        {
            if record == 2, found[Int(dataset)] == nil {
                found[Int(dataset)] = String(decoding: value, as: UTF8.self).trimmingBlanks
            }
            place += 5 + length
        }
        return found
    }

    /// Where the first record is: at once, or in the resource 0x0404.
    private var start: Int {
        let mark = "Photoshop 3.0\0"
        var place = bytes.has(mark, at: 0) ? mark.utf8.count : 0
        while bytes.has("8BIM", at: place) {
            guard let kind = bytes.number(place + 4, 2, bigEndian: true),
                let nameLength = bytes[place + 6].map(Int.init)
            else { break }
            let header = place + 6 + (nameLength + 2) / 2 * 2
            guard let length = bytes.number(header, 4, bigEndian: true).map(Int.init) else { break }
            if kind == 0x0404 { return header + 4 }
            place = header + 4 + (length + 1) / 2 * 2
        }
        return place
    }
}
