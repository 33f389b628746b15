// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import TestSupport

/// A library whose database somebody else has written.
extension Workbench {
    var library: String { folder.file("Photos.editlibrary") }

    /// Writes to the database by a connection of the test's own.
    func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
        let database = try DatabaseQueue(path: library + "/library.sqlite")
        try database.write { try $0.execute(sql: sql, arguments: arguments) }
        try database.close()
    }

    /// Gives an original a name, which may be anything that a column of text can hold.
    func rename(_ id: String, _ name: String) throws {
        try execute(
            "UPDATE asset SET original_filename = CAST(? AS TEXT) WHERE uuid = ?",
            [Data(name.utf8), id])
    }

    /// The files below a folder, by their paths in it, with their bytes.
    func files(in name: String) throws -> [String: Data] {
        let place = folder.file(name)
        var files: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: place) {
            files[path] = FileManager.default.contents(atPath: "\(place)/\(path)")
        }
        return files
    }
}
