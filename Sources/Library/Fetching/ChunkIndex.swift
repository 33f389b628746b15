// SPDX-License-Identifier: Apache-2.0

/// Maps numbers to the chunk of a list that contains them. It stores sorted pairs in leaves, which
/// copies share. Its size depends on the number of entries, not on their magnitude.
struct ChunkIndex: Sendable {
    private static let filledLength = 512
    private static let maximumLength = 1024

    private struct Leaf: Sendable {
        var keys: CompactNumbers
        var names: [UInt32]
    }

    private var leaves: [Leaf] = []

    /// - Parameter pairs: Unique numbers and the names of their chunks.
    init(_ pairs: [(number: Int64, name: UInt32)]) {
        let sorted = pairs.sorted { $0.number < $1.number }
        for start in stride(from: 0, to: sorted.count, by: Self.filledLength) {
            let part = sorted[start..<Swift.min(start + Self.filledLength, sorted.count)]
            leaves.append(
                Leaf(keys: CompactNumbers(part.map(\.number)), names: part.map(\.name)))
        }
    }

    /// The memory footprint in bytes.
    var byteCount: Int {
        leaves.reduce(leaves.capacity * MemoryLayout<Leaf>.stride) { bytes, leaf in
            bytes + leaf.keys.byteCount + IdentifierList.arrayOverhead
                + leaf.names.capacity * MemoryLayout<UInt32>.stride
        }
    }

    /// The name of the chunk that contains a number, or nil if there is none.
    subscript(number: Int64) -> UInt32? {
        guard let (leaf, place) = find(number), has(number, leaf, place) else { return nil }
        return leaves[leaf].names[place]
    }

    /// Sets the chunk that contains a number; nil removes the number.
    mutating func set(_ number: Int64, to name: UInt32?) {
        guard let (leaf, place) = find(number) else {
            if let name { leaves = [Leaf(keys: CompactNumbers([number]), names: [name])] }
            return
        }
        switch (has(number, leaf, place), name) {
        case (true, let name?): leaves[leaf].names[place] = name
        case (true, nil): remove(leaf, place)
        case (false, let name?): insert(number, name, leaf, place)
        case (false, nil): break
        }
    }

    private func has(_ number: Int64, _ leaf: Int, _ place: Int) -> Bool {
        place < leaves[leaf].keys.count && leaves[leaf].keys[place] == number
    }

    /// Returns the last leaf that begins at or before a number, otherwise the first leaf, and the
    /// position of the number in it. If the number is missing, the position is its insertion point.
    /// Returns nil if there are no leaves.
    private func find(_ number: Int64) -> (leaf: Int, place: Int)? {
        guard !leaves.isEmpty else { return nil }
        var (low, high) = (0, leaves.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if leaves[middle].keys[0] <= number { low = middle } else { high = middle }
        }
        return (low, leaves[low].keys.lowerBound(of: number))
    }

    private mutating func remove(_ leaf: Int, _ place: Int) {
        leaves[leaf].keys.remove(at: place)
        leaves[leaf].names.remove(at: place)
        if leaves[leaf].names.isEmpty { leaves.remove(at: leaf) }
    }

    private mutating func insert(_ number: Int64, _ name: UInt32, _ leaf: Int, _ place: Int) {
        leaves[leaf].keys.insert(number, at: place)
        leaves[leaf].names.insert(name, at: place)
        guard leaves[leaf].names.count > Self.maximumLength else { return }
        let half = leaves[leaf].names.count / 2
        let upper = Leaf(
            keys: leaves[leaf].keys.removeTail(from: half),
            names: Array(leaves[leaf].names[half...]))
        leaves[leaf].names = Array(leaves[leaf].names[..<half])
        leaves.insert(upper, at: leaf + 1)
    }
}
