// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What a fetch result has read so far: all identifiers, and a bounded number of objects.
final class FetchedObjects<Element: Sendable>: Sendable {
    /// Where the objects come from.
    struct Source: Sendable {
        /// Reads the identifiers of what the fetch finds, in order.
        let identifiers: @Sendable () throws -> [PackedIdentifier]
        /// Reads objects; nil in the place of one that is not there any more.
        let objects: @Sendable ([PackedIdentifier]) throws -> [Element?]
        /// What stands for an object of which nothing is known but its identifier.
        let remnant: @Sendable (PackedIdentifier) -> Element
    }

    private struct State {
        var identifiers: [PackedIdentifier]?
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

    private let source: Source
    private let state = Mutex(State())

    init(_ source: Source) { self.source = source }

    /// The first error that was met where none could be thrown.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// Reads the identifiers, once.
    func identifiers() throws -> [PackedIdentifier] {
        try state.withLock { try identifiers(&$0) }
    }

    private func identifiers(_ state: inout State) throws -> [PackedIdentifier] {
        if let identifiers = state.identifiers { return identifiers }
        let identifiers = try source.identifiers()
        state.identifiers = identifiers
        return identifiers
    }

    /// Reads the object at a place, with those around it; nil where it is not there any more, and
    /// beyond the ends.
    func object(at position: Int) throws -> Element? {
        try state.withLock { state in
            let identifiers = try identifiers(&state)
            guard identifiers.indices.contains(position) else { return nil }
            let number = position / Self.chunkLength
            let chunk = try chunk(number, of: identifiers, &state)
            return chunk[position % Self.chunkLength]
        }
    }

    private func chunk(
        _ number: Int, of identifiers: [PackedIdentifier], _ state: inout State
    ) throws -> [Element?] {
        if let chunk = state.chunks[number] {
            if state.used.last != number {
                state.used.removeAll { $0 == number }
                state.used.append(number)
            }
            return chunk
        }
        let start = number * Self.chunkLength
        let end = min(start + Self.chunkLength, identifiers.count)
        let chunk = try source.objects(Array(identifiers[start..<end]))
        if state.used.count == Self.chunkLimit {
            state.chunks[state.used.removeFirst()] = nil
        }
        state.chunks[number] = chunk
        state.used.append(number)
        return chunk
    }

    /// How many there are; 0 where that could not be read.
    var count: Int {
        noting(else: 0) { try identifiers().count }
    }

    /// The object at a place that exists, or what stands for it.
    subscript(position: Int) -> Element {
        let object: Element? = noting(else: nil) { try self.object(at: position) }
        if let object { return object }
        let identifiers: [PackedIdentifier] = noting(else: []) { try self.identifiers() }
        return source.remnant(identifiers[position])
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
