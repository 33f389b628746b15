// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Tests that export into their own folder.
protocol ExportingTests {
    var bench: Workbench { get }
    /// The destination folder.
    var folder: String { get }
}

extension ExportingTests {
    /// The objects that an export prints.
    func export(_ arguments: String...) throws -> [[String: Any]] {
        try bench.json(["export", "--to", folder] + arguments)
    }

    /// The exported files without the record, with their contents.
    func files() throws -> [String: Data] {
        try ExportedFiles.names(in: folder).reduce(into: [:]) {
            $0[$1] = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $1))
        }
    }

    /// Writes a file that is foreign to the export.
    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
}
