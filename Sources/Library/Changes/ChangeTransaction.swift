// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

/// Executes one change block: publishes its files first, then commits its rows in one transaction.
struct ChangeTransaction: Sendable {
    /// The outcome of a committed transaction.
    struct Result: Sendable {
        let token: ChangeToken
        /// The date of the entry in the history; nil if nothing changed.
        let date: Date?
        /// The bursts from which the host has to pick again.
        var unpickedBursts: Set<String> = []
    }

    let requests: [any ChangeRequest]
    let store: BlobStore
    let author: ChangeAuthor
    let busyTimeout: Double

    /// Makes the files durable under their final names, then commits the rows that reference them.
    func run(_ database: Database) throws -> Result {
        // Held until the transaction has ended, so that no other process collects the files first.
        let lock = try LibraryLock(store.root, exclusively: false, waiting: busyTimeout)
        defer { withExtendedLifetime(lock) {} }
        // Checked before publishing: a conflicting edit must not leave files that no row
        // references.
        let executor = ChangeExecutor(database: database, store: store, date: Date())
        for request in requests { try request.check(with: executor) }
        try publish()
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
        return try result ?? Result(token: Self.lastToken(database), date: nil)
    }

    private func publish() throws {
        // Several edits may include the same file.
        let blobs = Dictionary(
            requests.flatMap(\.stagedBlobs).map { ($0.hash, $0) },
            uniquingKeysWith: { one, _ in one })
        try store.publish(Array(blobs.values))
    }

    private func write(_ database: Database) throws -> Result {
        try LibraryOpener.verifyHeader(database, knowing: Schema.current.version)
        let executor = ChangeExecutor(database: database, store: store, date: Date())
        for request in requests { try request.apply(with: executor) }
        guard let token = try executor.finish(author) else {
            return Result(token: try Self.lastToken(database), date: nil)
        }
        return Result(
            token: token, date: executor.context.date, unpickedBursts: executor.unpickedBursts)
    }

    /// Whether a COMMIT that reported an error took effect anyway, according to the database.
    private func wasCommitted(_ result: Result, _ database: Database) throws -> Bool {
        guard let date = result.date, !database.isInsideTransaction else { return false }
        return try database.value(
            "SELECT EXISTS (SELECT 1 FROM change WHERE token = ? AND session = ? AND date = ?)",
            [result.token.number, author.session, date.microseconds]) ?? false
    }

    /// Returns the token of the last change.
    static func lastToken(_ database: Database) throws -> ChangeToken {
        try token(lastNumber(database), database)
    }

    /// Returns a token for a change number of this library.
    static func token(_ number: Int64, _ database: Database) throws -> ChangeToken {
        let library = try database.value("SELECT uuid FROM library", as: String.self)
        guard let library else {
            throw LibraryError(.damaged, "the library's own row is missing; run edithost check")
        }
        return ChangeToken(number: number, library: library)
    }

    /// Returns the number of the last change, even if the history no longer contains it; 0 if there
    /// is none.
    static func lastNumber(_ database: Database) throws -> Int64 {
        let statement = try database.cachedStatement(
            sql: "SELECT ifnull((SELECT max(token) FROM change), last_forgotten_token) FROM library"
        )
        return try statement.value(as: Int64.self) ?? 0
    }
}
