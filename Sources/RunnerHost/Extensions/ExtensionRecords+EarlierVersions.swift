// SPDX-License-Identifier: Apache-2.0

import Foundation

extension ExtensionRecords.Content {
    private static let earlierLists: [(name: String, kind: ExtensionRecord.Kind)] = [
        ("trusted.sha256", .trusted), ("original-readers.sha256", .readsOriginals),
        ("reproducing.sha256", .reproducing), ("not-reproducing.sha256", .notReproducing),
    ]
    private static let earlierFailures = "quarantine.json"

    /// Reads the files of earlier versions, one for each kind of record.
    init(earlierFilesIn folder: String) {
        for (name, kind) in Self.earlierLists {
            records.formUnion(ExtensionRecord.list("\(folder)/\(name)", as: kind))
        }
        // The earliest failures identified libraries only, and are ignored.
        let stored = try? SharedFile(path: "\(folder)/\(Self.earlierFailures)").content()
        let entries = stored.flatMap {
            try? JSONDecoder().decode([Quarantine.Entry].self, from: $0)
        }
        for entry in entries ?? [] { failures[entry.key] = entry }
    }

    /// Removes the files of earlier versions, so that an earlier version does not use what this one has revoked.
    static func removeEarlierFiles(in folder: String) {
        for name in earlierLists.map(\.name) + [earlierFailures] { unlink("\(folder)/\(name)") }
    }
}
