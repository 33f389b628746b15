// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The properties of a photo in IPTC-IIM records.
struct IPTCRecords {
    private let block: IPTCBlock
    private let characterSet: IPTCCharacterSet

    init(_ block: IPTCBlock) {
        self.block = block
        var declared: [UInt8]?
        block.forEachDataset {
            if declared == nil, $0.record == IPTCDataset.envelope,
                $0.number == IPTCDataset.codedCharacterSet
            {
                declared = $0.value
            }
        }
        characterSet = IPTCCharacterSet(declared)
    }

    /// DateCreated 2:55 with the optional TimeCreated 2:60. A time without a date is ignored.
    var captureDate: CaptureDate? {
        let records = records
        return CaptureDateParser.parse(
            iptcDay: records[IPTCDataset.dateCreated], time: records[IPTCDataset.timeCreated])
    }

    /// DigitalCreationDate 2:62 with the optional DigitalCreationTime 2:63.
    var digitizationDate: CaptureDate? {
        let records = records
        return CaptureDateParser.parse(
            iptcDay: records[IPTCDataset.digitalCreationDate],
            time: records[IPTCDataset.digitalCreationTime])
    }

    /// ObjectName 2:05.
    var title: String? { records[IPTCDataset.objectName] }

    /// Caption/Abstract 2:120.
    var caption: String? { records[IPTCDataset.caption] }

    /// By-line 2:80, the creators, separated by semicolons.
    var byline: String? { PhotoMetadata.joinedCreators(texts(IPTCDataset.byline, limit: 100)) }

    /// CopyrightNotice 2:116.
    var copyrightNotice: String? { records[IPTCDataset.copyrightNotice] }

    /// Keywords 2:25, up to the maximum of a library.
    var keywords: [String] { keywords(limit: PhotoMetadata.maximumKeywords) }

    /// Returns at most `limit` keywords.
    func keywords(limit: Int) -> [String] { texts(IPTCDataset.keywords, limit: limit) }

    /// Returns at most `limit` values of a dataset.
    private func texts(_ number: UInt8, limit: Int) -> [String] {
        var found: [String] = []
        block.forEachDataset { dataset in
            if dataset.record == IPTCDataset.application, dataset.number == number,
                found.count < limit
            {
                found.append(characterSet.string(dataset.value).trimmingBlanks)
            }
        }
        return found
    }

    /// The first application record of each dataset number.
    private var records: [UInt8: String] {
        var found: [UInt8: String] = [:]
        block.forEachDataset { dataset in
            let number = dataset.number
            if dataset.record == IPTCDataset.application, found[number] == nil {
                found[number] = characterSet.string(dataset.value).trimmingBlanks
            }
        }
        return found
    }
}
