// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The date in IPTC-IIM records.
struct IPTCRecords {
    private let bytes: Bytes

    init(_ block: IPTCBlock) { bytes = Bytes(block.records) }

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
        var place = 0
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
}
