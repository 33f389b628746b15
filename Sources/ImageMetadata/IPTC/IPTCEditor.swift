// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// Removes records from an IPTC-IIM block and adds others.
struct IPTCEditor {
    private struct Record {
        let record: UInt8
        let dataset: UInt8
        var value: [UInt8]
    }

    private var records: [Record] = []

    init(_ block: IPTCBlock) {
        block.forEachDataset {
            records.append(Record(record: $0.record, dataset: $0.number, value: $0.value))
        }
    }

    /// Joins two blocks of one file: the first block, and all records of the second that it does not contain. Returns
    /// `nil` if both are empty.
    static func joining(_ first: IPTCBlock, _ second: IPTCBlock) -> IPTCBlock? {
        var (all, other) = (IPTCEditor(first), IPTCEditor(second))
        if all.declaredCharacterSet != other.declaredCharacterSet {
            all.useUTF8()
            other.useUTF8()
        }
        var known = Set(all.records.map(bytes))
        // The envelope and the version must not be repeated.
        for record in other.records
        where record.record != IPTCDataset.envelope && record.dataset != IPTCDataset.recordVersion {
            if known.insert(bytes(record)).inserted { all.records.append(record) }
        }
        return all.block
    }

    /// The escape sequence that declares the character set of the text.
    private var declaredCharacterSet: [UInt8]? {
        records.first {
            $0.record == IPTCDataset.envelope && $0.dataset == IPTCDataset.codedCharacterSet
        }?.value
    }

    /// The edited block; `nil` if no record remains.
    var block: IPTCBlock? {
        records.isEmpty ? nil : IPTCBlock(records: records.flatMap(Self.bytes))
    }

    private static func bytes(_ record: Record) -> [UInt8] {
        let count = record.value.count
        let length =
            count < 0x8000
            ? Array(TIFFWriter.bytes(count, 2).reversed())
            : [0x80, 4] + TIFFWriter.bytes(count, 4).reversed()
        return [0x1C, record.record, record.dataset] + length + record.value
    }

    // MARK: - Changes

    /// Applies metadata changes to the records.
    mutating func apply(_ changes: MetadataChanges) {
        switch changes.captureDate {
        case nil: break
        case .remove:
            for dataset in [
                IPTCDataset.dateCreated, IPTCDataset.timeCreated, IPTCDataset.digitalCreationDate,
                IPTCDataset.digitalCreationTime,
            ] { set(dataset, []) }
        case .set(let date):
            let date = FormattedDate(date)
            let isBoth =
                has(IPTCDataset.digitalCreationDate)
                && values(IPTCDataset.digitalCreationDate) == values(IPTCDataset.dateCreated)
            for (day, time) in [(IPTCDataset.dateCreated, IPTCDataset.timeCreated)]
                + (isBoth
                    ? [(IPTCDataset.digitalCreationDate, IPTCDataset.digitalCreationTime)] : [])
            {
                set(day, [date.iptcDay])
                set(time, date.iptcTime.map { [$0] } ?? [])
            }
        }
        if let keywords = changes.keywords {
            set(IPTCDataset.keywords, KeywordPath.allNames(of: keywords))
        }
        set(IPTCDataset.objectName, changes.title)
        set(IPTCDataset.caption, changes.descriptionText)
        switch changes.creator {
        case nil: break
        case .remove: set(IPTCDataset.byline, [])
        case .set(let text): set(IPTCDataset.byline, PhotoMetadata.creators(text))
        }
        set(IPTCDataset.copyrightNotice, changes.copyright)
    }

    /// Keeps only the by-line, credit and copyright.
    mutating func keepCopyright() {
        records.removeAll { record in
            !(record.record == IPTCDataset.application
                && [IPTCDataset.byline, IPTCDataset.credit, IPTCDataset.copyrightNotice].contains(
                    record.dataset)
                || record.record == IPTCDataset.envelope
                    && record.dataset == IPTCDataset.codedCharacterSet)
        }
        if !records.contains(where: { $0.record == IPTCDataset.application }) { records = [] }
    }

    private func has(_ dataset: UInt8) -> Bool { !values(dataset).isEmpty }

    private func values(_ dataset: UInt8) -> [[UInt8]] {
        records.filter { $0.record == IPTCDataset.application && $0.dataset == dataset }.map(
            \.value)
    }

    private mutating func set(_ dataset: UInt8, _ change: MetadataChanges.Change<String>?) {
        switch change {
        case nil: break
        case .remove: set(dataset, [])
        case .set(let text): set(dataset, [text])
        }
    }

    private mutating func set(_ dataset: UInt8, _ texts: [String]) {
        if texts.contains(where: { !$0.utf8.allSatisfy { $0 < 0x80 } }) { useUTF8() }
        records.removeAll { $0.record == IPTCDataset.application && $0.dataset == dataset }
        let new = texts.map {
            Record(record: IPTCDataset.application, dataset: dataset, value: Array($0.utf8))
        }
        let position = records.firstIndex {
            ($0.record, $0.dataset) > (IPTCDataset.application, dataset)
        }
        records.insert(contentsOf: new, at: position ?? records.count)
    }

    // MARK: - The character set

    /// The datasets without text: the version, the rasterized caption, and previews.
    private static let binary: Set<UInt8> = [
        IPTCDataset.recordVersion, IPTCDataset.rasterizedCaption, IPTCDataset.previewFormat,
        IPTCDataset.previewVersion, IPTCDataset.previewData,
    ]

    /// Declares UTF-8 as the character set and converts all text.
    private mutating func useUTF8() {
        let declared = IPTCCharacterSet(declaredCharacterSet)
        if declared == .utf8 { return }
        records.removeAll {
            $0.record == IPTCDataset.envelope && $0.dataset == IPTCDataset.codedCharacterSet
        }
        for index in records.indices
        where records[index].record == IPTCDataset.application
            && !Self.binary.contains(records[index].dataset)
        {
            records[index].value = Array(declared.string(records[index].value).utf8)
        }
        let mark = Record(
            record: IPTCDataset.envelope, dataset: IPTCDataset.codedCharacterSet,
            value: IPTCCharacterSet.utf8Sequence)
        let position = records.firstIndex {
            ($0.record, $0.dataset) > (IPTCDataset.envelope, IPTCDataset.codedCharacterSet)
        }
        records.insert(mark, at: position ?? records.count)
    }
}
