// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// An ordered list of rows' numbers, each at most once, that can be copied, changed and searched
/// at a cost that hardly grows with its length.
///
/// The numbers lie in chunks, which copies share until one of them changes a chunk: some 4 bytes
/// each. An index, which is made when a number is first looked for, says for every number in which
/// chunk it is: some 8 bytes more.
struct IdentifierList: Sendable {
    private static let filledLength = 1024
    private static let maximumLength = 2048
    /// What an array takes beside its elements.
    static let arrayOverhead = 32

    /// An index that copies of a list share until one of them changes.
    private final class SharedIndex: Sendable {
        let index: Mutex<ChunkIndex?>
        init(_ index: ChunkIndex? = nil) { self.index = Mutex(index) }
    }

    /// The numbers, in order.
    private var chunks: [CompactNumbers] = []
    /// Where each chunk starts.
    private var starts: [Int] = []
    /// What each chunk is called, from 1: its name stays when others come before it.
    private var names: [UInt32] = []
    /// The place of a chunk by its name; what is not used any more points anywhere.
    private var places: [Int] = [0]
    private var shared = SharedIndex()

    /// How many numbers there are.
    private(set) var count = 0

    /// Takes numbers, which must be different.
    init(_ identifiers: [Int64]) {
        var rest = identifiers.makeIterator()
        self.init { rest.next() }
    }

    /// Takes numbers as they come, so that they are never all there twice.
    ///
    /// - Parameter next: gives the next number, which must be no other's; nil at the end.
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

    /// How much memory it takes, with the index where that has been made.
    var byteCount: Int {
        let fixed =
            chunks.capacity * MemoryLayout<CompactNumbers>.stride
            + (starts.capacity + places.capacity) * MemoryLayout<Int>.stride
            + names.capacity * MemoryLayout<UInt32>.stride + 4 * Self.arrayOverhead
        let index = shared.index.withLock { $0?.byteCount ?? 0 }
        return chunks.reduce(fixed + index) { $0 + $1.byteCount }
    }

    /// The number at a place, which must exist.
    subscript(position: Int) -> Int64 {
        let place = place(of: position)
        return chunks[place][position - starts[place]]
    }

    /// The numbers at some places, which must exist.
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

    /// The place of a number; nil where it is not in the list.
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

    /// Whether a number is in the list.
    func contains(_ identifier: Int64) -> Bool { index(of: identifier) != nil }

    /// Puts a number that is not in the list at a place; `count` is the end.
    mutating func insert(_ identifier: Int64, at position: Int) {
        if chunks.isEmpty { insertChunk(CompactNumbers(), at: 0) }
        let place = position == count ? chunks.count - 1 : place(of: position)
        chunks[place].insert(identifier, at: position - starts[place])
        name([identifier], names[place])
        for later in starts.indices.dropFirst(place + 1) { starts[later] += 1 }
        count += 1
        if chunks[place].count > Self.maximumLength { split(place) }
    }

    /// Takes the number at a place, which must exist, out.
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

    /// Notes in which chunk numbers are, unless nobody has looked for any yet.
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
    /// Goes through the numbers in order.
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
