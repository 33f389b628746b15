// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

/// The files that imports have rejected. They are not part of the history of changes.
extension PhotoLibrary {
    /// Returns the files that imports have rejected, sorted by path. There are none in a library of
    /// an older version.
    ///
    /// - Throws: `LibraryError`.
    package func rejectedFiles() throws -> [RejectedFile] {
        try read { database in
            try database.records(
                "SELECT \(RejectedFile.columns) FROM rejected_file ORDER BY path, hash"
            ) { try RejectedFile(row: $0) }
        }
    }

    /// Returns the rejected file with some contents and a filename extension; nil if there is none.
    ///
    /// - Throws: `LibraryError`.
    package func rejectedFile(
        withHash hash: SHA256Digest, filenameExtension: String
    ) throws -> RejectedFile? {
        try read { database in
            try database.cachedStatement(
                sql: "SELECT \(RejectedFile.columns) FROM rejected_file "
                    + "WHERE hash = ? AND filename_extension = ?"
            ).record([hash.hex, filenameExtension]) { try RejectedFile(row: $0) }
        }
    }

    /// Whether a rejected file has this size in bytes, so that others need not be hashed.
    ///
    /// - Throws: `LibraryError`.
    package func hasRejectedFile(ofSize size: Int) throws -> Bool {
        try read { database in
            try database.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM rejected_file WHERE size = ?)"
            ).value([size], as: Bool.self) ?? false
        }
    }

    /// Remembers rejected files, and forgets those with contents that have been imported.
    ///
    /// If there are too many, those that another version of the program has rejected are forgotten first, and
    /// then further ones are not remembered.
    ///
    /// - Parameters:
    ///   - files: The rejected files, all of the same version of the program.
    ///   - accepted: The hashes of imported files.
    /// - Returns: The number of files that were not remembered.
    /// - Throws: `LibraryError`.
    package func remember(
        rejected files: [RejectedFile], forgetting accepted: Set<SHA256Digest>,
        limit: Int = RejectedFile.maximumCount
    ) async throws -> Int {
        let (pool, _) = try writer()
        do {
            return try await pool.writeWithoutTransaction { [root, options] database in
                // An upgrade by another process must not run in the meantime.
                let lock = try LibraryLock(root, exclusively: false, waiting: options.busyTimeout)
                defer { withExtendedLifetime(lock) {} }
                var lost = 0
                try database.inTransaction(.immediate) {
                    try LibraryOpener.verifyHeader(database, knowing: Schema.current.version)
                    lost = try Self.save(files, forgetting: accepted, limit: limit, database)
                    return .commit
                }
                return lost
            }
        } catch {
            throw LibraryError.translating(error, path: path)
        }
    }

    private static func save(
        _ files: [RejectedFile], forgetting accepted: Set<SHA256Digest>, limit: Int,
        _ database: Database
    ) throws -> Int {
        for hash in accepted {
            try database.execute(
                sql: "DELETE FROM rejected_file WHERE hash = ?", arguments: [hash.hex])
        }
        func count() throws -> Int {
            try database.value("SELECT count(*) FROM rejected_file") ?? 0
        }
        var free = limit - (try count())
        if free < files.count, let version = files.first?.version {
            try database.execute(
                sql: "DELETE FROM rejected_file WHERE program_version <> ?", arguments: [version])
            free = limit - (try count())
        }
        var lost = 0
        for file in files {
            let isKnown =
                try database.value(
                    """
                    SELECT EXISTS (SELECT 1 FROM rejected_file
                        WHERE hash = ? AND filename_extension = ?)
                    """, [file.hash.hex, file.filenameExtension], as: Bool.self) ?? false
            guard file.isStorable, isKnown || free > 0 else {
                lost += 1
                continue
            }
            try file.save(database)
            if !isKnown { free -= 1 }
        }
        return lost
    }
}
