// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The contents of an export folder.
public enum ExportedFiles {
    /// The name of the record of exported files.
    public static let record = ".edithost-export.jsonl"

    /// The sorted names of the files in a folder, without the record.
    public static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != record }.sorted()
    }

    /// Makes exported files look like another program's: no record, and other bytes.
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
