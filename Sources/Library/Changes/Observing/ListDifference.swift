// SPDX-License-Identifier: Apache-2.0

/// The removals, insertions and moves that transform one list of rows into another.
struct ListDifference: Sendable {
    /// One move, to be performed after the moves before it.
    struct Move: Sendable {
        let from: Int
        let to: Int
    }

    /// Indexes into the old list, ascending.
    let removed: [Int]
    /// Indexes into the list after removals and insertions, ascending.
    let inserted: [Int]
    /// Indexes into the new list, ascending.
    let changed: [Int]
    /// The inserted rows as indexes into the new list, ascending.
    let insertedAfter: [Int]
    /// The moves to perform after removals and insertions.
    let moves: [Move]

    var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && changed.isEmpty && moves.isEmpty }

    /// - Parameters:
    ///   - removed: Rows that are only in the old list.
    ///   - inserted: Rows that are only in the new list.
    ///   - moved: Rows in both lists, such that all other common rows have the same order in both.
    ///   - changed: Rows to be reported as changed.
    init(
        from before: IdentifierList, to after: IdentifierList, removed: some Sequence<Int64>,
        inserted: some Sequence<Int64>, moved: Set<Int64>, changed: some Sequence<Int64>
    ) {
        self.removed = removed.compactMap(before.index).sorted()
        insertedAfter = inserted.compactMap(after.index).sorted()
        self.changed = changed.filter(before.contains).compactMap(after.index).sorted()
        var list = before
        for position in self.removed.reversed() { list.remove(at: position) }
        for position in insertedAfter {
            var previous = position - 1
            while previous >= 0, moved.contains(after[previous]) { previous -= 1 }
            list.insert(after[position], at: Self.place(after: previous, of: after, in: list))
        }
        self.inserted = insertedAfter.compactMap { list.index(of: after[$0]) }.sorted()
        moves = Self.moves(moved, in: &list, to: after)
    }

    /// Returns the index after that row of `list` which is at `position` in `after`; 0 for a
    /// negative position.
    private static func place(
        after position: Int, of after: IdentifierList, in list: IdentifierList
    ) -> Int {
        position < 0 ? 0 : list.index(of: after[position]).map { $0 + 1 } ?? list.count
    }

    /// Moves each row after its predecessor, which is already in its final place by then.
    private static func moves(
        _ moved: Set<Int64>, in list: inout IdentifierList, to after: IdentifierList
    ) -> [Move] {
        var moves: [Move] = []
        for position in moved.compactMap(after.index).sorted() {
            let row = after[position]
            guard let from = list.index(of: row) else { continue }
            list.remove(at: from)
            let to = place(after: position - 1, of: after, in: list)
            list.insert(row, at: to)
            if from != to { moves.append(Move(from: from, to: to)) }
        }
        return moves
    }

    /// Computes the difference by comparing both lists in full.
    init(
        from before: IdentifierList, to after: IdentifierList, changed: some Sequence<Int64>
    ) {
        let kept = after.filter(before.contains)
        let staying = Self.longestIncreasingSubsequence(in: kept.compactMap(before.index))
        var moved = Set(kept)
        for place in staying { moved.remove(kept[place]) }
        self.init(
            from: before, to: after, removed: before.filter { !after.contains($0) },
            inserted: after.filter { !before.contains($0) }, moved: moved, changed: changed)
    }

    /// Returns the positions of a longest increasing subsequence, by patience sorting.
    private static func longestIncreasingSubsequence(in values: [Int]) -> [Int] {
        var tails: [Int] = []
        var previous = [Int](repeating: -1, count: values.count)
        for (place, value) in values.enumerated() {
            var (low, high) = (0, tails.count)
            while low < high {
                let middle = (low + high) / 2
                if values[tails[middle]] < value { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[place] = tails[low - 1] }
            if low == tails.count { tails.append(place) } else { tails[low] = place }
        }
        var rise: [Int] = []
        var next = tails.last ?? -1
        while next >= 0 {
            rise.append(next)
            next = previous[next]
        }
        return rise
    }
}
