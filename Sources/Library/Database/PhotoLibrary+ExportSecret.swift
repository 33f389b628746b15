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
            let isUpdatedCopy = isUpdatedCopy
            let secret = try read { database -> Data? in
                let version = try database.value("PRAGMA user_version", as: Int.self) ?? 0
                guard version >= Schema.exportSecretVersion else { return nil }
                let secret = try database.value(
                    "SELECT export_secret FROM library", as: Data?.self)
                return (secret ?? nil) ?? (isUpdatedCopy ? nil : Data())
            }
            guard let secret, secret.count != Schema.exportSecretLength else { return secret }
            throw LibraryError(
                .damaged, "the library's database has no secret for exports", path: path)
        }
    }
}
