// SPDX-License-Identifier: Apache-2.0

import GRDB

/// Updates a list of rows without fetching it again. Only changed rows are read, and as many others
/// as a binary search needs to find their positions.
///
/// Unchanged rows keep their relative order, and remain sorted by the current sort keys. So a
/// binary search among them finds the position of a changed row.
/// See docs/design/decisions/0012-change-details.md.
struct ListUpdate {
    private let query: any FetchQuery
    private let database: Database
    /// The list as updated so far, without removed rows and rows that have to move.
    private(set) var list: IdentifierList
    private(set) var removed: [Int64] = []
    private(set) var inserted: [Int64] = []
    private(set) var moved: Set<Int64> = []
    private var keys: [Int64: SortKey] = [:]

    /// Thrown if the sort order cannot be derived from the rows. The list has to be fetched again.
    private struct Unsorted: Error {}

    /// - Parameter touched: The rows that may have changed.
    /// - Returns: Nil if the list has to be fetched again.
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
        try removeMoved(kept)
        try insert(inserted + moved)
    }

    /// Removes the rows that are no longer in order between their neighbours: the row before, if it
    /// has stayed, and the next unchanged row.
    private mutating func removeMoved(_ kept: [Int64]) throws {
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

    /// Returns, for each of the given ascending positions, the first row after it whose position is
    /// not among them.
    private func unchangedRows(after places: [Int]) -> [Int64?] {
        var rows: [Int64?] = []
        for (index, place) in places.enumerated().reversed() {
            let isFollowed = index + 1 < places.count && places[index + 1] == place + 1
            let next = place + 1 < list.count ? list[place + 1] : nil
            rows.append(isFollowed ? rows.last ?? nil : next)
        }
        return rows.reversed()
    }

    /// Inserts rows at their sorted positions.
    private mutating func insert(_ rows: [Int64]) throws {
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
