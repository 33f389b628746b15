// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation

extension ExtensionRecords {
    /// The lines of the file.
    struct Content: Sendable {
        var records: Set<ExtensionRecord> = []
        var publishers: Set<PublisherRecord> = []
        var failures: [Quarantine.Key: Quarantine.Entry] = [:]
        /// The lines that this version cannot decode.
        private var unknown: [Data] = []

        init() {}

        /// Decodes a file.
        init(_ file: Data) {
            let decoder = JSONDecoder()
            for line in file.split(separator: UInt8(ascii: "\n")) {
                if let record = try? decoder.decode(ExtensionRecord.self, from: line) {
                    records.insert(record)
                } else if let record = try? decoder.decode(PublisherRecord.self, from: line) {
                    publishers.insert(record)
                } else if let entry = try? decoder.decode(Quarantine.Entry.self, from: line),
                    Quarantine.validFailures.contains(entry.failures)
                {
                    failures[entry.key] = entry
                } else {
                    unknown.append(line)
                }
            }
        }

        func encoded() throws -> Data {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let known =
                try records.map { try encoder.encode($0) }
                + publishers.map { try encoder.encode($0) }
                + failures.values.map { try encoder.encode($0) }
            let lines = known.sorted { $0.lexicographicallyPrecedes($1) } + unknown
            return lines.reduce(into: Data()) { $0 += $1 + [UInt8(ascii: "\n")] }
        }

        /// Adds a record, replacing those of the same kind about other builds of the extension.
        mutating func add(
            _ kind: ExtensionRecord.Kind, _ digest: SHA256Digest, of identifier: String
        ) {
            remove(kind, of: identifier)
            records.insert(
                ExtensionRecord(kind: kind, digest: digest, identifier: identifier))
        }

        /// Removes the records of a kind about all builds of an extension.
        mutating func remove(_ kind: ExtensionRecord.Kind, of identifier: String) {
            records = records.filter { $0.kind != kind || $0.identifier != identifier }
        }
    }
}
