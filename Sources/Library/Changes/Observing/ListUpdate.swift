// SPDX-License-Identifier: Apache-2.0

import GRDB

/// Brings a list of rows up to date without fetching it again: only rows that changed are looked
/// at, and as many others as it takes to find their places.
///
/// All rows that did not change are in the same order among themselves as before, and are sorted
/// by what they are sorted by now. So a row's place among them can be found by halving.
/// See docs/design/decisions/0012-change-details.md.
struct ListUpdate {
    private let query: any FetchQuery
    private let database: Database
    /// The list as far as it is up to date: without what was removed or has to move.
    private(set) var list: IdentifierList
    private(set) var removed: [Int64] = []
    private(set) var inserted: [Int64] = []
    private(set) var moved: Set<Int64> = []
    private var keys: [Int64: SortKey] = [:]

    /// What of a list cannot be told from its rows: it has to be fetched again.
    private struct Unsorted: Error {}

    /// - Parameter touched: the rows that may have changed.
    /// - Returns: nil where the list has to be fetched again.
    /// - Throws: `DatabaseError`.
    init?(
        _ before: IdentifierList, touched: some Collection<Int64>, query: any FetchQuery,
        _ database: Database
    ) throws {
        guard let keys = try query.keys(of: Array(touched), database) else { return nil }
        self.query = query
        self.database = database
        self.keys = keys
        list = before
        do {
            try update(touched)
        } catch is Unsorted {
            return nil
        }
    }

    private mutating func update(_ touched: some Collection<Int64>) throws {
        var kept: [Int64] = []
        for row in touched {
            switch (list.contains(row), keys[row] != nil) {
            case (true, true): kept.append(row)
            case (true, false): removed.append(row)
            case (false, true): inserted.append(row)
            case (false, false): break
            }
        }
        for row in removed { if let place = list.index(of: row) { list.remove(at: place) } }
        try takeOutMoved(kept)
        try putIn(inserted + moved)
    }

    /// Takes out those that do not stand between their neighbours any more: the one before, as far
    /// as it has stayed, and the next one that did not change.
    private mutating func takeOutMoved(_ kept: [Int64]) throws {
        let places = kept.compactMap { row in list.index(of: row).map { (place: $0, row: row) } }
            .sorted { $0.place < $1.place }
        let next = unchangedRows(after: places.map(\.place))
        for (index, (before, row)) in places.enumerated() {
            let place = before - moved.count
            let key = try key(of: row)
            let isAfter = try place == 0 || query.isBefore(self.key(of: list[place - 1]), key)
            let isBefore = try next[index].map { query.isBefore(key, try self.key(of: $0)) } ?? true
            if isAfter && isBefore { continue }
            list.remove(at: place)
            moved.insert(row)
        }
    }

    /// For each of some places, ascending, the first row behind it that is at none of them.
    private func unchangedRows(after places: [Int]) -> [Int64?] {
        var rows: [Int64?] = []
        for (index, place) in places.enumerated().reversed() {
            let isFollowed = index + 1 < places.count && places[index + 1] == place + 1
            let next = place + 1 < list.count ? list[place + 1] : nil
            rows.append(isFollowed ? rows.last ?? nil : next)
        }
        return rows.reversed()
    }

    /// Puts rows where they belong.
    private mutating func putIn(_ rows: [Int64]) throws {
        let sorted = try rows.map { ($0, try key(of: $0)) }
            .sorted { query.isBefore($0.1, $1.1) }
        var start = 0
        for (row, key) in sorted {
            var (low, high) = (start, list.count)
            while low < high {
                let middle = (low + high) / 2
                if query.isBefore(try self.key(of: list[middle]), key) {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            list.insert(row, at: low)
            start = low + 1
        }
    }

    private mutating func key(of row: Int64) throws -> SortKey {
        if let key = keys[row] { return key }
        guard let key = try query.keys(of: [row], database)?[row] else { throw Unsorted() }
        keys[row] = key
        return key
    }
}
