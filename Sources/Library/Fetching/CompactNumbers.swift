// SPDX-License-Identifier: Apache-2.0

/// Numbers in an order, in four bytes each as long as all are small enough, as the numbers of rows
/// are. Any number can be kept, whatever a database says.
struct CompactNumbers: Sendable {
    private var narrow: [UInt32] = []
    /// All numbers, where one of them needs it.
    private var wide: [Int64]?

    init(reserving capacity: Int = 0) { narrow.reserveCapacity(capacity) }

    init(_ numbers: some Collection<Int64>) {
        narrow.reserveCapacity(numbers.count)
        for number in numbers { append(number) }
    }

    var count: Int { wide?.count ?? narrow.count }
    var isEmpty: Bool { count == 0 }

    /// How much memory they take.
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

    /// The place of the first number that is not less; they must be sorted.
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

    /// Takes the numbers from a place on out.
    mutating func removeTail(from place: Int) -> CompactNumbers {
        let tail = CompactNumbers(self[place..<count])
        self = CompactNumbers(self[0..<place])
        return tail
    }
}
