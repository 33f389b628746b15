// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The folder that a test exports to.
public enum ExportedFiles {
    /// The record of what was written.
    public static let record = ".edithost-export.jsonl"

    /// The names of the files in a folder, without the record, sorted.
    public static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != record }.sorted()
    }

    /// Makes what was exported somebody else's: without a record, and with other bytes.
    public static func forget(_ folder: String) throws {
        try FileManager.default.removeItem(atPath: "\(folder)/\(record)")
        for name in try names(in: folder) {
            let file = try FileHandle(
                forWritingTo: URL(fileURLWithPath: folder).appendingPathComponent(name))
            try file.seekToEnd()
            try file.write(contentsOf: Data([0]))
            try file.close()
        }
    }
}
