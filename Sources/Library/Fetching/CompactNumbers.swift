// SPDX-License-Identifier: Apache-2.0

/// An ordered list of numbers that takes four bytes each as long as all of them fit, as row IDs
/// usually do. Any number can be stored, whatever a damaged database contains.
struct CompactNumbers: Sendable {
    private var narrow: [UInt32] = []
    /// All numbers, if one of them does not fit into 32 bits.
    private var wide: [Int64]?

    init(reserving capacity: Int = 0) { narrow.reserveCapacity(capacity) }

    init(_ numbers: some Collection<Int64>) {
        narrow.reserveCapacity(numbers.count)
        for number in numbers { append(number) }
    }

    var count: Int { wide?.count ?? narrow.count }
    var isEmpty: Bool { count == 0 }

    /// The memory footprint in bytes.
    var byteCount: Int {
        IdentifierList.arrayOverhead + (wide?.capacity ?? 0) * MemoryLayout<Int64>.stride
            + narrow.capacity * MemoryLayout<UInt32>.stride
    }

    subscript(place: Int) -> Int64 { wide?[place] ?? Int64(narrow[place]) }

    subscript(range: Range<Int>) -> [Int64] {
        wide.map { Array($0[range]) } ?? narrow[range].map { Int64($0) }
    }

    func firstIndex(of number: Int64) -> Int? {
        if let wide { return wide.firstIndex(of: number) }
        return UInt32(exactly: number).flatMap { narrow.firstIndex(of: $0) }
    }

    /// Returns the position of the first number that is not less than `number`. The list must be
    /// sorted.
    func lowerBound(of number: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    mutating func append(_ number: Int64) { insert(number, at: count) }

    mutating func insert(_ number: Int64, at place: Int) {
        if wide == nil {
            if let small = UInt32(exactly: number) { return narrow.insert(small, at: place) }
            wide = narrow.map { Int64($0) }
            narrow = []
        }
        wide?.insert(number, at: place)
    }

    @discardableResult
    mutating func remove(at place: Int) -> Int64 {
        if wide == nil { return Int64(narrow.remove(at: place)) }
        return wide?.remove(at: place) ?? 0
    }

    /// Removes the numbers from a position on and returns them.
    mutating func removeTail(from place: Int) -> CompactNumbers {
        let tail = CompactNumbers(self[place..<count])
        self = CompactNumbers(self[0..<place])
        return tail
    }
}
