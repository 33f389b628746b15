// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

extension RejectedFile {
    /// The columns that `init(row:)` reads, by position.
    static let columns = """
        hash, filename_extension, size, path, code, reason, rejected_date, program_version
        """

    /// The maximum length of a stored reason in bytes.
    private static let longestReason = 1024

    /// Creates the record from a row that selects `columns`.
    ///
    /// - Throws: `LibraryError` with `damaged`.
    init(row: Row) throws {
        self.init(
            hash: try row.value(0), filenameExtension: try row.value(1),
            byteCount: try row.value(2, in: 0...StoredValueLimits.bytes.upperBound),
            path: try row.value(3), code: try row.value(4), reason: try row.value(5),
            date: try row.value(6), version: try row.value(7))
    }

    /// Whether every text can be read back. A longer reason is truncated.
    var isStorable: Bool {
        [filenameExtension, path, code, version].allSatisfy {
            $0.utf8.count <= StoredValueLimits.text && !$0.utf8.contains(0)
        }
    }

    /// Inserts the record, or replaces that of the same contents and filename extension.
    func save(_ database: Database) throws {
        let text = reason.replacing("\0", with: " ")
        let reason = String(decoding: text.utf8.prefix(Self.longestReason), as: UTF8.self)
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO rejected_file (\(Self.columns)) "
                + "VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [
            hash.hex, filenameExtension, byteCount, path, code, reason, date.microseconds, version,
        ])
    }
}
