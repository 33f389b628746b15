// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Tests that export into a folder of their own.
protocol ExportingTests {
    var bench: Workbench { get }
    /// The folder that is exported to.
    var folder: String { get }
}

extension ExportingTests {
    /// The lines that an export prints.
    func export(_ arguments: String...) throws -> [[String: Any]] {
        try bench.json(["export", "--to", folder] + arguments)
    }

    /// The files, without the record, and what is in them.
    func files() throws -> [String: Data] {
        try ExportedFiles.names(in: folder).reduce(into: [:]) {
            $0[$1] = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $1))
        }
    }

    /// Makes a file somebody else's.
    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
}
