// SPDX-License-Identifier: Apache-2.0

/// An ordered list of rows' numbers, each at most once, that can be copied, changed and searched
/// at a cost that hardly grows with its length.
///
/// The numbers lie in chunks, which copies share until one of them changes a chunk; a table says
/// for every number in which chunk it is. A million numbers take 12 MB.
struct IdentifierList: Sendable {
    private static let filledLength = 1024
    private static let greatestLength = 2048
    private static let pageLength = 1024

    /// The numbers, in order.
    private var chunks: [[Int64]] = []
    /// Where each chunk starts.
    private var starts: [Int] = []
    /// What each chunk is called, from 1: its name stays when others come before it.
    private var names: [UInt32] = []
    /// The place of a chunk by its name; what is not used any more points anywhere.
    private var places: [Int] = [0]
    /// The names of chunks by numbers, in pages; 0 for none.
    private var pages: [[UInt32]] = []

    /// How many numbers there are.
    private(set) var count = 0

    /// Takes numbers, which must be positive and different.
    init(_ identifiers: [Int64]) {
        for start in stride(from: 0, to: identifiers.count, by: Self.filledLength) {
            let end = Swift.min(start + Self.filledLength, identifiers.count)
            insertChunk(Array(identifiers[start..<end]), at: chunks.count)
        }
        count = identifiers.count
    }

    /// Takes numbers as they come, so that they are never all there twice.
    ///
    /// - Parameter next: gives the next number, which must be positive and no other's; nil at the
    ///   end.
    init(_ next: () throws -> Int64?) rethrows {
        var chunk: [Int64] = []
        while let identifier = try next() {
            if chunk.isEmpty { chunk.reserveCapacity(Self.filledLength) }
            chunk.append(identifier)
            count += 1
            guard chunk.count == Self.filledLength else { continue }
            insertChunk(chunk, at: chunks.count)
            chunk = []
        }
        if !chunk.isEmpty { insertChunk(chunk, at: chunks.count) }
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
        let page = Int(identifier) / Self.pageLength
        guard identifier > 0, pages.indices.contains(page), !pages[page].isEmpty else { return nil }
        let name = pages[page][Int(identifier) % Self.pageLength]
        guard name > 0 else { return nil }
        let place = places[Int(name)]
        return chunks[place].firstIndex(of: identifier).map { starts[place] + $0 }
    }

    /// Whether a number is in the list.
    func contains(_ identifier: Int64) -> Bool { index(of: identifier) != nil }

    /// Puts a number that is not in the list at a place; `count` is the end.
    mutating func insert(_ identifier: Int64, at position: Int) {
        if chunks.isEmpty { insertChunk([], at: 0) }
        let place = position == count ? chunks.count - 1 : place(of: position)
        chunks[place].insert(identifier, at: position - starts[place])
        name(identifier, names[place])
        for later in starts.indices.dropFirst(place + 1) { starts[later] += 1 }
        count += 1
        if chunks[place].count > Self.greatestLength { split(place) }
    }

    /// Takes the number at a place, which must exist, out.
    @discardableResult
    mutating func remove(at position: Int) -> Int64 {
        let place = place(of: position)
        let identifier = chunks[place].remove(at: position - starts[place])
        name(identifier, 0)
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

    private mutating func insertChunk(_ chunk: [Int64], at place: Int) {
        let name = UInt32(places.count)
        let start = place == 0 ? 0 : starts[place - 1] + chunks[place - 1].count
        chunks.insert(chunk, at: place)
        starts.insert(start, at: place)
        names.insert(name, at: place)
        places.append(place)
        renumber(from: place)
        for identifier in chunk { self.name(identifier, name) }
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
        let half = chunks[place].count / 2
        let rest = Array(chunks[place][half...])
        chunks[place].removeSubrange(half...)
        insertChunk(rest, at: place + 1)
    }

    /// Notes in which chunk a number is.
    private mutating func name(_ identifier: Int64, _ name: UInt32) {
        let page = Int(identifier) / Self.pageLength
        while pages.count <= page { pages.append([]) }
        if pages[page].isEmpty { pages[page] = Array(repeating: 0, count: Self.pageLength) }
        pages[page][Int(identifier) % Self.pageLength] = name
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
