// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// An ordered list of unique row IDs that is cheap to copy, change and search at any length.
///
/// The ids are stored in copy-on-write chunks, at about 4 bytes each. An index maps each id to its
/// chunk, at about 8 more bytes each. It is built on the first search.
struct IdentifierList: Sendable {
    private static let filledLength = 1024
    private static let maximumLength = 2048
    /// The memory overhead of an array, in bytes.
    static let arrayOverhead = 32

    /// An index shared by copies of a list until one of them changes.
    private final class SharedIndex: Sendable {
        let index: Mutex<ChunkIndex?>
        init(_ index: ChunkIndex? = nil) { self.index = Mutex(index) }
    }

    /// The row IDs in order, divided into chunks.
    private var chunks: [CompactNumbers] = []
    /// The position of the first row ID of each chunk.
    private var starts: [Int] = []
    /// The stable name of each chunk, from 1. It does not change if chunks are inserted before it.
    private var names: [UInt32] = []
    /// The index of a chunk by its name. Entries of unused names are undefined.
    private var places: [Int] = [0]
    private var shared = SharedIndex()

    /// The number of row IDs.
    private(set) var count = 0

    /// Creates a list of unique ids.
    init(_ identifiers: [Int64]) {
        var rest = identifiers.makeIterator()
        self.init { rest.next() }
    }

    /// Creates a list from streamed ids, which are never in memory twice.
    ///
    /// - Parameter next: Returns the next unique id, or nil at the end.
    init(_ next: () throws -> Int64?) rethrows {
        var chunk = CompactNumbers(reserving: Self.filledLength)
        while let identifier = try next() {
            chunk.append(identifier)
            count += 1
            guard chunk.count == Self.filledLength else { continue }
            insertChunk(chunk, at: chunks.count)
            chunk = CompactNumbers(reserving: Self.filledLength)
        }
        if !chunk.isEmpty { insertChunk(CompactNumbers(chunk[0..<chunk.count]), at: chunks.count) }
    }

    /// The memory footprint in bytes, including the index if it has been built.
    var byteCount: Int {
        let fixed =
            chunks.capacity * MemoryLayout<CompactNumbers>.stride
            + (starts.capacity + places.capacity) * MemoryLayout<Int>.stride
            + names.capacity * MemoryLayout<UInt32>.stride + 4 * Self.arrayOverhead
        let index = shared.index.withLock { $0?.byteCount ?? 0 }
        return chunks.reduce(fixed + index) { $0 + $1.byteCount }
    }

    /// The id at a position, which must be in range.
    subscript(position: Int) -> Int64 {
        let place = place(of: position)
        return chunks[place][position - starts[place]]
    }

    /// The ids in a range of positions, which must be valid.
    subscript(range: Range<Int>) -> [Int64] {
        var found: [Int64] = []
        found.reserveCapacity(range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            let place = place(of: position)
            let first = position - starts[place]
            let last = Swift.min(chunks[place].count, first + range.upperBound - position)
            found += chunks[place][first..<last]
            position += last - first
        }
        return found
    }

    /// Returns the position of an id, or nil if the list does not contain it.
    func index(of identifier: Int64) -> Int? {
        let name = shared.index.withLock { index in
            let known = index ?? makeIndex()
            index = known
            return known[identifier]
        }
        guard let name else { return nil }
        let place = places[Int(name)]
        return chunks[place].firstIndex(of: identifier).map { starts[place] + $0 }
    }

    /// Whether the list contains an id.
    func contains(_ identifier: Int64) -> Bool { index(of: identifier) != nil }

    /// Inserts an id that the list does not contain; `count` is the end.
    mutating func insert(_ identifier: Int64, at position: Int) {
        if chunks.isEmpty { insertChunk(CompactNumbers(), at: 0) }
        let place = position == count ? chunks.count - 1 : place(of: position)
        chunks[place].insert(identifier, at: position - starts[place])
        name([identifier], names[place])
        for later in starts.indices.dropFirst(place + 1) { starts[later] += 1 }
        count += 1
        if chunks[place].count > Self.maximumLength { split(place) }
    }

    /// Removes the id at a position, which must be in range.
    @discardableResult
    mutating func remove(at position: Int) -> Int64 {
        let place = place(of: position)
        let identifier = chunks[place].remove(at: position - starts[place])
        name([identifier], nil)
        for later in starts.indices.dropFirst(place + 1) { starts[later] -= 1 }
        count -= 1
        if chunks[place].isEmpty { removeChunk(at: place) }
        return identifier
    }

    // MARK: - Chunks

    private func place(of position: Int) -> Int {
        precondition((0..<count).contains(position), "a list has no place \(position)")
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= position { low = middle } else { high = middle }
        }
        return low
    }

    @discardableResult
    private mutating func insertChunk(_ chunk: CompactNumbers, at place: Int) -> UInt32 {
        let name = UInt32(places.count)
        let start = place == 0 ? 0 : starts[place - 1] + chunks[place - 1].count
        chunks.insert(chunk, at: place)
        starts.insert(start, at: place)
        names.insert(name, at: place)
        places.append(place)
        renumber(from: place)
        return name
    }

    private mutating func removeChunk(at place: Int) {
        chunks.remove(at: place)
        starts.remove(at: place)
        names.remove(at: place)
        renumber(from: place)
    }

    private mutating func renumber(from place: Int) {
        for later in names.indices.dropFirst(place) { places[Int(names[later])] = later }
    }

    private mutating func split(_ place: Int) {
        let rest = chunks[place].removeTail(from: chunks[place].count / 2)
        let name = insertChunk(rest, at: place + 1)
        self.name(rest[0..<rest.count], name)
    }

    // MARK: - Index

    private func makeIndex() -> ChunkIndex {
        var pairs: [(number: Int64, name: UInt32)] = []
        pairs.reserveCapacity(count)
        for (chunk, name) in zip(chunks, names) {
            for identifier in chunk[0..<chunk.count] { pairs.append((identifier, name)) }
        }
        return ChunkIndex(pairs)
    }

    /// Records the chunk of ids in the index, unless the index has not been built.
    private mutating func name(_ identifiers: [Int64], _ name: UInt32?) {
        let isShared = !isKnownUniquelyReferenced(&shared)
        let known = shared.index.withLock { index in
            defer { if !isShared { index = nil } }
            return index
        }
        guard var index = consume known else {
            if isShared { shared = SharedIndex() }
            return
        }
        for identifier in identifiers { index.set(identifier, to: name) }
        shared = isShared ? SharedIndex(index) : shared
        if !isShared { shared.index.withLock { $0 = index } }
    }
}

extension IdentifierList: Sequence {
    /// Returns an iterator over the ids, in order.
    func makeIterator() -> AnyIterator<Int64> {
        var (place, offset) = (0, 0)
        return AnyIterator {
            guard place < chunks.count else { return nil }
            defer {
                offset += 1
                if offset == chunks[place].count { (place, offset) = (place + 1, 0) }
            }
            return chunks[place][offset]
        }
    }
}
