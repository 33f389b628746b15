// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

/// One change block's way into the library: files first, then one transaction.
struct ChangeTransaction: Sendable {
    /// What came of it.
    struct Result: Sendable {
        let token: ChangeToken
        /// The entry in the history; nil where nothing changed.
        let change: PersistentChange?
    }

    let requests: [any ChangeRequest]
    let store: BlobStore
    let session: String
    let busyTimeout: Double

    /// Makes the files durable under their names, then commits the rows that name them.
    func run(_ database: Database) throws -> Result {
        // Held until the transaction has ended, so that nobody collects the files before.
        let lock = try LibraryLock(store.root, exclusively: false, waiting: busyTimeout)
        defer { withExtendedLifetime(lock) {} }
        // What was edited by somebody else meanwhile should not leave files that no row names.
        let executor = ChangeExecutor(database: database, store: store, date: Date())
        for request in requests { try request.check(with: executor) }
        // Several edits may bring the same file.
        let blobs = Dictionary(
            requests.flatMap(\.stagedBlobs).map { ($0.hash, $0) },
            uniquingKeysWith: { one, _ in one })
        try store.publish(Array(blobs.values))
        var result: Result?
        do {
            try database.inTransaction(.immediate) {
                result = try write(database)
                return .commit
            }
        } catch {
            guard let result, try wasCommitted(result, database) else { throw error }
            return result
        }
        return try result ?? Result(token: Self.lastToken(database), change: nil)
    }

    private func write(_ database: Database) throws -> Result {
        try LibraryOpener.verifyHeader(database, knowing: Schema.current.version)
        let executor = ChangeExecutor(database: database, store: store, date: Date())
        for request in requests { try request.apply(with: executor) }
        guard let change = try executor.finish(session: session) else {
            return Result(token: try Self.lastToken(database), change: nil)
        }
        return Result(token: change.token, change: change)
    }

    /// A COMMIT that reported an error may have been written all the same; ask the database.
    private func wasCommitted(_ result: Result, _ database: Database) throws -> Bool {
        guard let change = result.change, !database.isInsideTransaction else { return false }
        return try database.value(
            "SELECT EXISTS (SELECT 1 FROM change WHERE token = ? AND session = ? AND date = ?)",
            [change.token.number, session, change.date.microseconds]) ?? false
    }

    /// The token of the last change.
    static func lastToken(_ database: Database) throws -> ChangeToken {
        try token(lastNumber(database), database)
    }

    /// The token of a change of this library.
    static func token(_ number: Int64, _ database: Database) throws -> ChangeToken {
        let library = try database.value("SELECT uuid FROM library", as: String.self)
        guard let library else {
            throw LibraryError(.damaged, "the library's own row is missing; run edithost check")
        }
        return ChangeToken(number: number, library: library)
    }

    /// The number of the last change, whether the history still has it or not; 0 where there was
    /// none.
    static func lastNumber(_ database: Database) throws -> Int64 {
        let statement = try database.cachedStatement(
            sql: "SELECT ifnull((SELECT max(token) FROM change), last_forgotten_token) FROM library"
        )
        return try statement.value(as: Int64.self) ?? 0
    }
}
