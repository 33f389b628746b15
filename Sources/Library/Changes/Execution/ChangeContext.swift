// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

/// The transaction of one change, and the statements shared by all tables.
struct ChangeContext {
    let database: Database
    let store: BlobStore
    /// The date written to all rows of this change.
    let date: Date
    /// The changes made so far.
    let recorder = ChangeRecorder()

    /// The columns that allocate row IDs.
    enum Counter: String {
        case asset = "next_asset_id"
        case collection = "next_collection_id"
    }

    /// Allocates a row ID that has never been used before.
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

    /// Executes a cached statement: a block may have thousands of requests.
    func execute(_ sql: String, _ arguments: StatementArguments) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// Executes a statement and returns whether it changed exactly one row.
    func changesOneRow(_ sql: String, _ arguments: StatementArguments) throws -> Bool {
        try execute(sql, arguments)
        return database.changesCount == 1
    }

    /// Inserts the row of a published blob.
    func insertBlob(_ blob: StagedBlob) throws {
        try execute(
            "INSERT INTO blob (hash, size) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING",
            [blob.hash.hex, blob.size])
    }
}
