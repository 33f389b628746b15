// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The properties of a photograph in IPTC-IIM records.
struct IPTCRecords {
    private let block: IPTCBlock
    private let text: IPTCText

    init(_ block: IPTCBlock) {
        self.block = block
        var name: [UInt8]?
        block.forEachDataset {
            if name == nil, $0.record == 1, $0.number == IPTCText.characterSet { name = $0.value }
        }
        text = IPTCText(name)
    }

    /// DateCreated 2:55 with the optional TimeCreated 2:60. A time without a date is ignored.
    var captureDate: CaptureDate? {
        let records = records
        return DateText.parse(iptcDay: records[55], time: records[60])
    }

    /// DigitalCreationDate 2:62 with the optional DigitalCreationTime 2:63.
    var digitizationDate: CaptureDate? {
        let records = records
        return DateText.parse(iptcDay: records[62], time: records[63])
    }

    /// ObjectName 2:05.
    var title: String? { records[5] }

    /// Caption/Abstract 2:120.
    var caption: String? { records[120] }

    /// Keywords 2:25, up to the maximum of a library.
    var keywords: [String] { keywords(limit: PhotoMetadata.maximumKeywords) }

    /// Returns at most `limit` keywords.
    func keywords(limit: Int) -> [String] {
        var found: [String] = []
        block.forEachDataset { dataset in
            if dataset.record == 2, dataset.number == 25, found.count < limit {
                found.append(text.string(dataset.value).trimmingBlanks)
            }
        }
        return found
    }

    /// The first application record of each dataset number.
    private var records: [Int: String] {
        var found: [Int: String] = [:]
        block.forEachDataset { dataset in
            let number = Int(dataset.number)
            if dataset.record == 2, found[number] == nil {
                found[number] = text.string(dataset.value).trimmingBlanks
            }
        }
        return found
    }
}
