// SPDX-License-Identifier: Apache-2.0

import GRDB
import Synchronization

/// The cache behind a fetch result: the ids of all rows, and a bounded number of objects.
final class FetchedObjects<Element: Sendable>: Sendable {
    /// A snapshot of a fetch: its rows, and the token of the library's last change at that time.
    struct Moment: Sendable {
        let list: IdentifierList
        let token: Int64
    }

    private struct State {
        var moment: Moment?
        /// The cached objects by chunk number.
        var chunks: [Int: [Element?]] = [:]
        /// The numbers of the cached chunks, the most recently used one last.
        var used: [Int] = []
        var failure: (any Error)?
    }

    /// The number of objects that are read together.
    static var chunkLength: Int { 100 }
    /// The maximum number of cached chunks.
    static var chunkLimit: Int { 16 }

    let query: any FetchQuery<Element>
    let library: PhotoLibrary
    /// Whether changes are reported individually.
    let isIncremental: Bool
    private let state: Mutex<State>

    /// - Parameter moment: The rows, if they are known already.
    init(
        _ query: any FetchQuery<Element>, in library: PhotoLibrary, isIncremental: Bool = true,
        moment: Moment? = nil
    ) {
        self.query = query
        self.library = library
        self.isIncremental = isIncremental
        state = Mutex(State(moment: moment))
    }

    /// The first error that could not be thrown.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// Returns the snapshot, which is read on first use.
    func moment() throws -> Moment { try state.withLock { try moment(&$0) } }

    /// The snapshot, if it has been read.
    var knownMoment: Moment? { state.withLock { $0.moment } }

    /// Records that the list has not changed up to a later change token.
    func advance(to token: Int64) {
        state.withLock { state in
            guard let moment = state.moment, moment.token < token else { return }
            state.moment = Moment(list: moment.list, token: token)
        }
    }

    private func moment(_ state: inout State) throws -> Moment {
        if let moment = state.moment { return moment }
        let moment = try library.read { database in
            Moment(
                list: try query.identifiers(database),
                token: try ChangeTransaction.lastNumber(database))
        }
        state.moment = moment
        return moment
    }

    /// Returns the object at a position, and caches those around it. Returns nil if the object was
    /// deleted or the position is out of range.
    func object(at position: Int) throws -> Element? {
        try state.withLock { state in
            let list = try moment(&state).list
            guard (0..<list.count).contains(position) else { return nil }
            let number = position / Self.chunkLength
            let chunk = try chunk(number, of: list, &state)
            return chunk[position % Self.chunkLength]
        }
    }

    private func chunk(
        _ number: Int, of list: IdentifierList, _ state: inout State
    ) throws -> [Element?] {
        if let chunk = state.chunks[number] {
            if state.used.last != number {
                state.used.removeAll { $0 == number }
                state.used.append(number)
            }
            return chunk
        }
        let start = number * Self.chunkLength
        let wanted = list[start..<min(start + Self.chunkLength, list.count)]
        let found = try library.read { try query.objects(wanted, $0) }
        let chunk = wanted.map { found[$0] }
        if state.used.count == Self.chunkLimit {
            state.chunks[state.used.removeFirst()] = nil
        }
        state.chunks[number] = chunk
        state.used.append(number)
        return chunk
    }

    /// The number of rows, or 0 if they could not be read.
    var count: Int {
        noting(else: 0) { try moment().list.count }
    }

    /// The object at a position, which must be in range, or a placeholder if it was deleted.
    subscript(position: Int) -> Element {
        let object: Element? = noting(else: nil) { try self.object(at: position) }
        if let object { return object }
        let identifier = noting(else: "") {
            let row = try moment().list[position]
            return try localIdentifiers(of: [row]).first ?? ""
        }
        return query.remnant(identifier)
    }

    /// Runs an operation that cannot throw, and keeps its error.
    private func noting<Value>(else value: Value, _ body: () throws -> Value) -> Value {
        do {
            return try body()
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
            return value
        }
    }
}

// MARK: - Identifiers

extension FetchedObjects {
    private var table: String { query.objectType.rawValue }

    /// Returns the identifiers of all rows, in order, without reading any object.
    func localIdentifiers() throws -> [String] {
        let list = try moment().list
        return try stride(from: 0, to: list.count, by: 1000).flatMap { start in
            try localIdentifiers(of: list[start..<min(start + 1000, list.count)])
        }
    }

    /// Returns the identifiers of rows, in their order. Those of deleted rows come from the change
    /// history as far as it reaches back; otherwise they are empty.
    private func localIdentifiers(of rows: [Int64]) throws -> [String] {
        let found = try library.read { database in
            try database.records(
                """
                SELECT value, coalesce(
                    (SELECT uuid FROM \(table) WHERE id = value),
                    (SELECT object_uuid FROM change_item WHERE kind = 'removed'
                        AND object_type = ? AND object_id = value), '')
                FROM json_each(?)
                """,
                [table, rows.json]
            ) { (try $0.rowNumber(0), try $0.value(1, as: String.self)) }
        }
        let identifiers = Dictionary(found) { $1 }
        return rows.map { identifiers[$0] ?? "" }
    }

    /// Returns the position of the object with this identifier, without reading any object.
    func index(ofIdentifier identifier: String) throws -> Int? {
        let list = try moment().list
        let row = try library.read { database in
            try database.value(
                """
                SELECT coalesce(
                    (SELECT id FROM \(table) WHERE uuid = :uuid),
                    (SELECT object_id FROM change_item WHERE kind = 'removed'
                        AND object_type = :type AND object_uuid = :uuid))
                """,
                ["uuid": identifier, "type": table], as: Int64?.self)
        }
        return row.flatMap { $0 }.flatMap(list.index(of:))
    }
}
