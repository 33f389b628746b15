// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

extension AssetShapes {
    /// Reads the shapes of rows in one scan: of the whole table if the list has a large part of it,
    /// otherwise of the listed rows.
    ///
    /// - Parameter away: The rows of the assets whose originals are missing.
    init(of list: IdentifierList, away: Set<Int64>, _ database: Database) throws {
        self.init(count: list.count)
        let total = try database.value("SELECT count(*) FROM asset", as: Int.self) ?? 0
        if list.count * 4 >= total {
            try readAll(list, away, database)
        } else {
            try readListed(list, away, database)
        }
    }

    /// Scans the table in the order of row IDs, and merges it with the sorted list.
    private mutating func readAll(
        _ list: IdentifierList, _ away: Set<Int64>, _ database: Database
    ) throws {
        var places: [(row: Int64, position: Int32)] = []
        places.reserveCapacity(list.count)
        for row in list { places.append((row, Int32(places.count))) }
        places.sort { $0.row < $1.row }
        var next = 0
        try database.cachedStatement(sql: "\(Self.query) FROM asset ORDER BY id").forEachRow {
            row in
            let number = try row.rowNumber(0)
            while next < places.count, places[next].row < number { next += 1 }
            guard next < places.count, places[next].row == number else { return }
            try read(row, at: Int(places[next].position), isAway: away.contains(number))
        }
    }

    /// Looks up the listed rows, in chunks.
    private mutating func readListed(
        _ list: IdentifierList, _ away: Set<Int64>, _ database: Database
    ) throws {
        let statement = try database.cachedStatement(
            sql: """
                \(Self.query), wanted.key FROM json_each(?) AS wanted
                CROSS JOIN asset ON asset.id = wanted.value
                """)
        for start in stride(from: 0, to: list.count, by: Self.chunkLength) {
            let rows = list[start..<min(start + Self.chunkLength, list.count)]
            try statement.forEachRow([rows.json]) { row in
                let position = start + (try row.value(Self.columnCount, as: Int.self))
                try read(row, at: position, isAway: away.contains(try row.rowNumber(0)))
            }
        }
    }

    private static let chunkLength = 10_000
    private static let columnCount = 5
    /// Shifts and bitwise operators have the same precedence in SQL.
    private static let query = """
        SELECT asset.id, CASE WHEN creation_date IS NOT NULL THEN sort_date END,
            pixel_width, pixel_height,
            (adjustment_format IS NOT NULL) | (is_favorite << 1)
                | ((media_subtypes & \(MediaSubtype.photoLive.rawValue) <> 0
                    AND ifnull(\(Asset.coversMotion), 1)) << 2)
                | ((media_type = \(MediaType.video.rawValue)) << 3) | (is_hidden << 5)
                | ((ifnull(rating, 0) < 0) << 6) | (max(ifnull(rating, 0), 0) << 8)
        """

    private mutating func read(_ row: Row, at position: Int, isAway: Bool) throws {
        if let clock = try row.value(1, as: Int64?.self) {
            days[position] = Int32(clamping: clock.flooredQuotient(86_400_000_000))
        }
        aspects[position] = Self.aspect(
            width: try row.value(2, in: StoredValueLimits.pixels),
            height: try row.value(3, in: StoredValueLimits.pixels))
        let bits = UInt16(truncatingIfNeeded: try row.value(4, as: Int64.self))
        flags[position] = Flags(rawValue: bits)
        if isAway { flags[position].insert(.missing) }
    }
}
