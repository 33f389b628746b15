// SPDX-License-Identifier: Apache-2.0

import Foundation

extension ExtensionRecords.Content {
    private static let earlierLists: [(name: String, kind: ExtensionRecord.Kind)] = [
        ("trusted.sha256", .trusted), ("original-readers.sha256", .readsOriginals),
        ("reproducing.sha256", .reproducing), ("not-reproducing.sha256", .notReproducing),
    ]
    private static let earlierFailures = "quarantine.json"

    /// Reads the files of earlier versions, one for each kind of record.
    ///
    /// - Parameter read: Returns the content of a file, empty if it is missing.
    init(earlierFilesIn folder: String, read: (SharedFile) throws -> Data) rethrows {
        for (name, kind) in Self.earlierLists {
            let stored = try read(SharedFile(path: "\(folder)/\(name)"))
            records.formUnion(ExtensionRecord.list(stored, as: kind))
        }
        // The earliest failures identified libraries only, and are ignored.
        let stored = try read(SharedFile(path: "\(folder)/\(Self.earlierFailures)"))
        let entries = try? JSONDecoder().decode([Quarantine.Entry].self, from: stored)
        for entry in entries ?? [] where Quarantine.validFailures.contains(entry.failures) {
            failures[entry.key] = entry
        }
    }

    /// Removes the files of earlier versions, so that an earlier version does not use what this one has revoked.
    ///
    /// - Throws: `HostError` with `fileFailed` after all others have been removed.
    static func removeEarlierFiles(in folder: String) throws {
        var failure: HostError?
        for name in earlierLists.map(\.name) + [earlierFailures] {
            let path = "\(folder)/\(name)"
            guard unlink(path) != 0, errno != ENOENT else { continue }
            failure = failure ?? HostError.file("cannot be removed", path: path)
        }
        if let failure { throw failure }
    }
}
