// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

/// One change's transaction, and the statements that every table needs.
struct ChangeContext {
    let database: Database
    let store: BlobStore
    /// The moment that this change writes everywhere.
    let date: Date
    /// What the change has changed so far.
    let recorder = ChangeRecorder()

    /// The columns that count rows.
    enum Counter: String {
        case asset = "next_asset_id"
        case collection = "next_collection_id"
    }

    /// A number for a new row, which no row ever had.
    func newIdentifier(_ counter: Counter) throws -> Int64 {
        let column = counter.rawValue
        let statement = try database.cachedStatement(
            sql: "UPDATE library SET \(column) = \(column) + 1 RETURNING \(column) - 1")
        let id = try statement.record { try $0.rowNumber(0) }
        guard let id else {
            throw LibraryError(.damaged, "the library's own row is missing; run edithost check")
        }
        return id
    }

    /// Runs a statement, which is prepared once: a block may have thousands of requests.
    func execute(_ sql: String, _ arguments: StatementArguments) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// Runs a statement that must change exactly one row; tells whether it did.
    func changesOneRow(_ sql: String, _ arguments: StatementArguments) throws -> Bool {
        try execute(sql, arguments)
        return database.changesCount == 1
    }

    /// Names a published blob in the database.
    func insertBlob(_ blob: StagedBlob) throws {
        try execute(
            "INSERT INTO blob (hash, size) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING",
            [blob.hash.hex, blob.size])
    }
}
