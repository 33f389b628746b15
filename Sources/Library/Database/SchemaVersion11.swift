// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

extension Schema {
    /// How many bytes a library's secret for exports has.
    static let exportSecretLength = 32

    /// A secret of the library, with which its exports prove what they have written into folders (decision 38). It goes into
    /// backups with the database, so that a restored library knows its exports.
    static func addExportSecret(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE library ADD COLUMN export_secret BLOB
                    CHECK (length(export_secret) = \(exportSecretLength))
                """)
        var generator = SystemRandomNumberGenerator()
        let secret = Data(
            (0..<exportSecretLength).map { _ in
                UInt8.random(in: .min ... .max, using: &generator)
            })
        try database.execute(sql: "UPDATE library SET export_secret = ?", arguments: [secret])
    }
}

extension PhotoLibrary {
    /// The library's secret for exports. Anyone who knows it can claim that an export of this library wrote a file; it stands
    /// nowhere but in the database and its backups. Nil: the library is of a version before 11 and open for reading, or read from
    /// an up-to-date copy, whose secret is lost with it.
    ///
    /// - Throws: `LibraryError` with `damaged` if there is none, although there has to be one.
    package var exportSecret: Data? {
        get throws {
            guard !isUpdatedCopy else { return nil }
            let secret = try read { database -> Data? in
                guard try database.value("PRAGMA user_version", as: Int.self) ?? 0 >= 11 else {
                    return nil
                }
                return try database.value("SELECT export_secret FROM library", as: Data.self)
                    ?? Data()
            }
            guard let secret, secret.count != Schema.exportSecretLength else { return secret }
            throw LibraryError(
                .damaged, "the library's database has no secret for exports", path: path)
        }
    }
}
