// SPDX-License-Identifier: Apache-2.0

/// How one list of rows becomes another: what is removed, inserted and then moved.
struct ListDifference: Sendable {
    /// One move, to be done after those before it.
    struct Move: Sendable {
        let from: Int
        let to: Int
    }

    /// Places in the list before, ascending.
    let removed: [Int]
    /// Places in the list once the removed are out and these are in, ascending.
    let inserted: [Int]
    /// Places in the list after, ascending.
    let changed: [Int]
    /// The same as `inserted`, but in the list after.
    let insertedAfter: [Int]
    /// What is left to do then.
    let moves: [Move]

    var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && changed.isEmpty && moves.isEmpty }

    /// - Parameters:
    ///   - removed: what is in the list before and not in the one after.
    ///   - inserted: what is in the list after and not in the one before.
    ///   - moved: what is in both, such that all else of both is in the same order.
    ///   - changed: what is to be told of as changed.
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

    /// The place in a list behind what is at a place of another; 0 where that is before the first.
    private static func place(
        after position: Int, of after: IdentifierList, in list: IdentifierList
    ) -> Int {
        position < 0 ? 0 : list.index(of: after[position]).map { $0 + 1 } ?? list.count
    }

    /// Puts every moved row behind the one that it is to follow, which stands right by then.
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

    /// Compares two whole lists.
    init(
        from before: IdentifierList, to after: IdentifierList, changed: some Sequence<Int64>
    ) {
        let kept = after.filter(before.contains)
        let staying = Self.longestRise(in: kept.compactMap(before.index))
        var moved = Set(kept)
        for place in staying { moved.remove(kept[place]) }
        self.init(
            from: before, to: after, removed: before.filter { !after.contains($0) },
            inserted: after.filter { !before.contains($0) }, moved: moved, changed: changed)
    }

    /// The places of a longest increasing subsequence, found by patience sorting.
    private static func longestRise(in values: [Int]) -> [Int] {
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
