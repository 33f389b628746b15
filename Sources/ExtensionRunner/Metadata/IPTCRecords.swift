// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// What IPTC-IIM records say of a photograph.
struct IPTCRecords {
    private let bytes: Bytes

    init(_ block: IPTCBlock) { bytes = Bytes(block.records) }

    /// DateCreated 2:55 with TimeCreated 2:60, or without. A time without a date is no date.
    var captureDate: CaptureDate? {
        let records = records
        return DateText.parse(iptcDay: records[55], time: records[60])
    }

    /// ObjectName 2:05.
    var title: String? { records[5] }

    /// Caption/Abstract 2:120.
    var caption: String? { records[120] }

    /// Keywords 2:25, as many as a library has.
    var keywords: [String] { keywords(limit: PhotoMetadata.maximumKeywords) }

    /// The first keywords.
    func keywords(limit: Int) -> [String] {
        var found: [String] = []
        forEachRecord { dataset, value in
            if dataset == 25, found.count < limit {
                found.append(Self.text(value))
            }
        }
        return found
    }

    /// The first application record of each dataset number.
    private var records: [Int: String] {
        var found: [Int: String] = [:]
        forEachRecord { dataset, value in
            if found[dataset] == nil { found[dataset] = Self.text(value) }
        }
        return found
    }

    private func forEachRecord(_ body: (_ dataset: Int, _ value: [UInt8]) -> Void) {
        var place = 0
        while bytes[place] == 0x1C, let record = bytes[place + 1], let dataset = bytes[place + 2],
            let length = bytes.number(place + 3, 2, bigEndian: true).map(Int.init),
            length < 0x8000, let value = bytes.slice(place + 5, length)
        {
            if record == 2 { body(Int(dataset), value) }
            place += 5 + length
        }
    }

    /// UTF-8 where it can be, and Latin 1 otherwise: what old programs wrote.
    private static func text(_ value: [UInt8]) -> String {
        let text =
            String(validating: value, as: UTF8.self)
            ?? String(String.UnicodeScalarView(value.map { Unicode.Scalar($0) }))
        return text.trimmingBlanks
    }
}
