// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

extension Schema {
    /// The length of a library's export secret in bytes.
    static let exportSecretLength = 32
    /// The first version whose libraries have an export secret.
    static let exportSecretVersion = 11

    /// Adds a secret with which the library's exports prove that they wrote a file (decision 38).
    /// It is part of the database, so a restored library recognises its exports.
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
