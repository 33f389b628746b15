// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import TestSupport

/// Access to a library's database that bypasses the library.
extension Workbench {
    var library: String { folder.file("Photos.editlibrary") }

    /// Writes to the database through the test's own connection.
    func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
        let database = try DatabaseQueue(path: library + "/library.sqlite")
        try database.write { try $0.execute(sql: sql, arguments: arguments) }
        try database.close()
    }

    /// Sets an original's filename to any value that a text column can store.
    func rename(_ id: String, _ name: String) throws {
        try execute(
            "UPDATE asset SET original_filename = CAST(? AS TEXT) WHERE uuid = ?",
            [Data(name.utf8), id])
    }

    /// The contents of the files below a folder, by relative path.
    func files(in name: String) throws -> [String: Data] {
        let place = folder.file(name)
        var files: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: place) {
            files[path] = FileManager.default.contents(atPath: "\(place)/\(path)")
        }
        return files
    }
}
