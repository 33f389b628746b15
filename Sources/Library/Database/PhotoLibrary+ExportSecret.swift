// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

extension PhotoLibrary {
    /// The library's export secret. Anyone who has it can claim that an export of this library
    /// wrote a file; it is stored only in the database and its backups. Nil for a library of a
    /// version before 11 that is read-only or read from a migrated copy, whose secret is lost with
    /// it.
    ///
    /// - Throws: `LibraryError` with `damaged` if the secret is missing although it is required.
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
