// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The membership of assets in albums, and their order. Indexes count the assets outside the trash.
struct AlbumMemberTable {
    /// One asset of an album, with its rank.
    struct Member {
        let asset: Int64
        let rank: Int64

        init(_ row: Row) throws {
            asset = try row.rowNumber(0)
            rank = try row.value(1, in: StoredValueLimits.ranks)
        }
    }

    let collections: CollectionTable

    /// The condition in SQL on members outside the trash, which usually has few rows.
    static let isShown =
        "asset_id NOT IN (SELECT id FROM asset WHERE trashed_date IS NOT NULL)"

    private var database: Database { collections.context.database }

    // MARK: - Reading

    /// Whether an album contains an asset.
    func contains(_ asset: Int64, in album: Int64) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: "SELECT 1 FROM album_member WHERE album_id = ? AND asset_id = ?")
        return try statement.value([album, asset], as: Int.self) != nil
    }

    /// Whether no asset of an album has a rank.
    func isFree(_ rank: Int64, in album: Int64) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: "SELECT 1 FROM album_member WHERE album_id = ? AND rank = ?")
        return try statement.value([album, rank], as: Int.self) == nil
    }

    /// Returns all assets of an album outside the trash, in order.
    func all(of album: Int64) throws -> [Int64] {
        try members(of: album, Self.isShown, from: 0, count: .max).map(\.asset)
    }

    /// Returns the members at these indexes, in the album's order.
    func members(at indexes: [Int], of album: Int64) throws -> [Member] {
        guard let first = indexes.min(), let last = indexes.max() else { return [] }
        guard first >= 0, last < StoredValueLimits.counts.upperBound else {
            throw ListInsertions.outOfRange(first < 0 ? first : last, count: try count(of: album))
        }
        let rows = try members(of: album, Self.isShown, from: first, count: last - first + 1)
        guard rows.count == last - first + 1 else {
            throw ListInsertions.outOfRange(last, count: try count(of: album))
        }
        return Set(indexes).sorted().map { rows[$0 - first] }
    }

    /// Returns up to `count` of the members that meet a condition in SQL, starting at an index;
    /// fewer at the end of the album.
    private func members(
        of album: Int64, _ condition: String = "1", from index: Int, count: Int
    ) throws -> [Member] {
        try database.records(
            """
            SELECT asset_id, rank FROM album_member WHERE album_id = ? AND \(condition)
            ORDER BY rank LIMIT ? OFFSET ?
            """,
            [album, count, index], Member.init)
    }

    private func count(of album: Int64) throws -> Int {
        try database.value(
            "SELECT count(*) FROM album_member WHERE album_id = ? AND \(Self.isShown)", [album])
            ?? 0
    }

    /// Translates an index among the members outside the trash to one among all members.
    private func indexOfAll(_ index: Int, of album: Int64) throws -> Int {
        let isPlain = try database.value(
            """
            SELECT NOT EXISTS (
                SELECT 1 FROM album_member WHERE album_id = ? AND NOT \(Self.isShown))
            """, [album], as: Bool.self)
        if isPlain == true { return index }
        guard let member = try members(of: album, Self.isShown, from: index, count: 1).first else {
            // The end is after all members. An index beyond it remains out of range.
            let total = try database.value(
                "SELECT count(*) FROM album_member WHERE album_id = ?", [album], as: Int.self)
            return (total ?? 0) + index - (try count(of: album))
        }
        return try database.value(
            "SELECT count(*) FROM album_member WHERE album_id = ? AND rank < ?",
            [album, member.rank]) ?? index
    }

    // MARK: - Writing

    /// Appends assets to an album.
    func append(_ assets: [Int64], to album: Int64) throws {
        let last = try database.record(
            "SELECT max(rank) FROM album_member WHERE album_id = ?", [album]
        ) { try $0.rank(0) }
        let ranks =
            MemberRanks.ranks(assets.count, above: last ?? nil, below: nil, distance: 1) ?? []
        for (asset, rank) in zip(assets, ranks) { try insert(asset, rank: rank, in: album) }
    }

    /// Inserts one asset at a rank.
    func insert(_ asset: Int64, rank: Int64, in album: Int64) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT INTO album_member (album_id, asset_id, rank) VALUES (?, ?, ?)")
        try statement.execute(arguments: [album, asset, rank])
        recordRank(of: asset, in: album, from: .empty, to: .number(rank))
    }

    /// Removes assets from an album.
    func remove(_ assets: [Int64], from album: Int64) throws {
        let statement = try database.cachedStatement(
            sql: "DELETE FROM album_member WHERE album_id = ? AND asset_id = ? RETURNING rank")
        for asset in assets {
            guard let rank = try statement.value([album, asset], as: Int64.self) else { continue }
            recordRank(of: asset, in: album, from: .number(rank), to: .empty)
        }
    }

    private func recordRank(
        of asset: Int64, in album: Int64, from old: JournalValue, to new: JournalValue
    ) {
        collections.recordValue(.member, item: .number(asset), of: album, from: old, to: new)
    }

    /// Inserts assets at an index. If there are no free ranks between the neighbours, an increasing
    /// range around them is renumbered.
    func insert(_ assets: [Int64], at shownIndex: Int, in album: Int64) throws {
        guard (0..<StoredValueLimits.counts.upperBound).contains(shownIndex) else {
            throw ListInsertions.outOfRange(shownIndex, count: try count(of: album))
        }
        let index = try indexOfAll(shownIndex, of: album)
        var reach = 0
        while true {
            let start = max(0, index - reach)
            let stretch = try members(
                of: album, from: max(0, start - 1), count: index + reach + 2 - start)
            let low = start > 0 ? stretch.first : nil
            let inside = stretch.dropFirst(start > 0 ? 1 : 0).prefix(index + reach - start)
            let high = stretch.dropFirst((start > 0 ? 1 : 0) + inside.count).first
            guard index - start <= inside.count, start == 0 || low != nil else {
                throw ListInsertions.outOfRange(shownIndex, count: try count(of: album))
            }
            var order = inside.map(\.asset)
            order.insert(contentsOf: assets, at: index - start)
            let ranks = MemberRanks.ranks(
                order.count, above: low?.rank, below: high?.rank, distance: reach == 0 ? 1 : 1024)
            if let ranks {
                try remove(inside.map(\.asset), from: album)
                for (asset, rank) in zip(order, ranks) { try insert(asset, rank: rank, in: album) }
                return
            }
            reach = max(64, reach * 8)
        }
    }

    // MARK: - Recording

    /// Records that assets were added to, removed from or reordered in an album.
    func recordChange(of assets: [Int64], in album: Int64) throws {
        if assets.isEmpty { return }
        for asset in assets { collections.context.recorder.recordMember(asset, ofAlbum: album) }
        try collections.recordChange(of: album, isContent: true)
    }

    /// Records a change of each album that contains an asset about to be trashed, restored or
    /// removed.
    func recordChange(ofAlbumsWith asset: Int64) throws {
        let holding = try database.cachedStatement(
            sql: "SELECT album_id FROM album_member WHERE asset_id = ?")
        for album in try holding.values([asset], as: Int64.self) {
            try recordChange(of: [asset], in: album)
        }
        let covering = try database.cachedStatement(
            sql: "SELECT id FROM collection WHERE cover_id = ?")
        let covered = try covering.values([asset], as: Int64.self)
        for album in covered { try collections.recordChange(of: album, isContent: false) }
    }
}
