// SPDX-License-Identifier: Apache-2.0

import GRDB
import Synchronization

/// What a fetch result has read so far: the numbers of all rows, and a bounded number of objects.
final class FetchedObjects<Element: Sendable>: Sendable {
    /// The rows that a fetch found, and the last change that the library had then.
    struct Moment: Sendable {
        let list: IdentifierList
        let token: Int64
    }

    private struct State {
        var moment: Moment?
        /// Objects by the number of their chunk.
        var chunks: [Int: [Element?]] = [:]
        /// The numbers of the chunks, the one that was used last at the end.
        var used: [Int] = []
        var failure: (any Error)?
    }

    /// So many objects are read at once.
    static var chunkLength: Int { 100 }
    /// So many chunks are kept.
    static var chunkLimit: Int { 16 }

    let query: any FetchQuery<Element>
    let library: PhotoLibrary
    /// Whether changes are told one by one.
    let isIncremental: Bool
    private let state: Mutex<State>

    /// - Parameter moment: what the fetch found, where it is known already.
    init(
        _ query: any FetchQuery<Element>, in library: PhotoLibrary, isIncremental: Bool = true,
        moment: Moment? = nil
    ) {
        self.query = query
        self.library = library
        self.isIncremental = isIncremental
        state = Mutex(State(moment: moment))
    }

    /// The first error that was met where none could be thrown.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// What the fetch found; read once.
    func moment() throws -> Moment { try state.withLock { try moment(&$0) } }

    /// What the fetch found, where that has been read.
    var knownMoment: Moment? { state.withLock { $0.moment } }

    /// Notes that nothing of the list has changed up to a later change.
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

    /// Reads the object at a place, with those around it; nil where it no longer exists, and
    /// beyond the ends.
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

    /// How many there are; 0 where that could not be read.
    var count: Int {
        noting(else: 0) { try moment().list.count }
    }

    /// The object at a place that exists, or what stands for it.
    subscript(position: Int) -> Element {
        let object: Element? = noting(else: nil) { try self.object(at: position) }
        if let object { return object }
        let identifier = noting(else: "") {
            let row = try moment().list[position]
            return try localIdentifiers(of: [row]).first ?? ""
        }
        return query.remnant(identifier)
    }

    /// Keeps an error of what cannot throw.
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

    /// The identifiers of all rows, in order; no object is read.
    func localIdentifiers() throws -> [String] {
        let list = try moment().list
        return try stride(from: 0, to: list.count, by: 1000).flatMap { start in
            try localIdentifiers(of: list[start..<min(start + 1000, list.count)])
        }
    }

    /// The identifiers of rows, in this order. Those of what is gone are in the history of
    /// changes, as long as it reaches back so far; else they are empty.
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

    /// The place of the object of this identifier; no object is read.
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
