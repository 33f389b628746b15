// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The assets of an album.
extension ChangeExecutor {
    /// A row of an album.
    private struct Member {
        let asset: Int64
        let rank: Int64

        init(_ row: Row) throws {
            asset = try row.rowNumber(0)
            rank = try row.value(1, in: Limits.ranks)
        }
    }

    /// Puts assets at the end.
    func addMembers(_ identifiers: [String], to album: Int64) throws {
        let new = try newMembers(identifiers, of: album)
        let last = try database.record(
            "SELECT max(rank) FROM album_member WHERE album_id = ?", [album]
        ) { try $0.rank(0) }
        let ranks = MemberRanks.ranks(new.count, above: last ?? nil, below: nil, distance: 1) ?? []
        for (asset, rank) in zip(new, ranks) { try insert(asset, rank, album) }
        try recordMembers(new, album)
    }

    /// Puts assets where they then have these indexes.
    func insertMembers(_ identifiers: [String], at indexes: [Int], in album: Int64) throws {
        let isNew = Set(try newMembers(identifiers, of: album))
        let named = try identifiers.map(assetForAlbum)
        let places = try Places(ascending: indexes, for: named, where: isNew.contains)
        for (index, assets) in places.runs { try put(assets, at: index, in: album) }
        try recordMembers(places.elements, album)
    }

    /// Takes assets out that are in the album.
    func removeMembers(_ identifiers: [String], from album: Int64) throws {
        let statement = try database.cachedStatement(
            sql: """
                SELECT id FROM asset WHERE uuid = ?
                AND EXISTS (SELECT 1 FROM album_member WHERE album_id = ? AND asset_id = id)
                """)
        let assets = try identifiers.compactMap { identifier in
            try statement.value([standIns[identifier] ?? identifier, album], as: Int64.self)
        }
        try take(assets, from: album)
        try recordMembers(assets, album)
        try dropCover(ofAlbum: album)
    }

    /// Takes the assets at these indexes out.
    func removeMembers(at indexes: [Int], from album: Int64) throws {
        let assets = try members(at: indexes, of: album).map(\.asset)
        try take(assets, from: album)
        try recordMembers(assets, album)
        try dropCover(ofAlbum: album)
    }

    /// Takes the assets at these indexes out and puts others in their places.
    func replaceMembers(
        at indexes: [Int], with identifiers: [String], in album: Int64
    ) throws {
        guard indexes.count == identifiers.count, Set(indexes).count == indexes.count else {
            throw LibraryError(
                .invalidRequest, "each asset to be replaced needs one other for itself alone")
        }
        let pairs = zip(indexes, try identifiers.map(assetForAlbum)).sorted { $0.0 < $1.0 }
        let before = try members(at: indexes, of: album)
        let changed = zip(before, pairs.map(\.1)).filter { $0.asset != $1 }
        try take(changed.map(\.0.asset), from: album)
        guard Set(changed.map(\.1)).count == changed.count,
            try changed.allSatisfy({ try !isMember($0.1, of: album) })
        else {
            throw LibraryError(
                .invalidRequest, "an album cannot have the same asset in two places")
        }
        for (member, asset) in changed { try insert(asset, member.rank, album) }
        try recordMembers(changed.flatMap { [$0.0.asset, $0.1] }, album)
        try dropCover(ofAlbum: album)
    }

    /// Takes the assets at these indexes out and puts them in again.
    func moveMembers(at indexes: [Int], to destination: Int, in album: Int64) throws {
        let moved = try members(at: indexes, of: album).map(\.asset)
        guard let first = indexes.min(), let last = indexes.max() else { return }
        if first == destination, last - first == moved.count - 1 { return }
        try take(moved, from: album)
        try put(moved, at: destination, in: album)
        try recordMembers(moved, album)
    }

    /// Takes assets out and puts them in again somewhere else.
    func moveMembers(
        _ identifiers: [String], to position: AlbumPosition, in album: Int64
    ) throws {
        var seen: Set<Int64> = []
        let moved = try identifiers.map { try member($0, of: album) }
            .filter { seen.insert($0).inserted }
        let before = try members(of: album, from: 0, count: .max).map(\.asset)
        var order = before.filter { !seen.contains($0) }
        let index: Int
        switch position {
        case .start: index = 0
        case .end: index = order.count
        case .before(let asset): index = try place(of: asset, in: order, album)
        case .after(let asset): index = try place(of: asset, in: order, album) + 1
        }
        order.insert(contentsOf: moved, at: index)
        if order == before { return }
        try take(moved, from: album)
        try put(moved, at: index, in: album)
        try recordMembers(moved, album)
    }

    /// The row of an asset that is in the album.
    private func member(_ identifier: String, of album: Int64) throws -> Int64 {
        let asset = try assetForAlbum(identifier)
        guard try isMember(asset, of: album) else {
            throw LibraryError(
                .invalidRequest, "it is not in the album", assetIdentifier: identifier)
        }
        return asset
    }

    private func place(
        of neighbour: any AssetReference, in order: [Int64], _ album: Int64
    ) throws -> Int {
        let asset = try member(neighbour.localIdentifier, of: album)
        guard let place = order.firstIndex(of: asset) else {
            throw LibraryError(
                .invalidRequest, "it cannot be moved beside itself",
                assetIdentifier: neighbour.localIdentifier)
        }
        return place
    }

    /// Makes an asset of the album its cover, or none.
    func setCover(_ identifier: String?, ofAlbum album: Int64) throws {
        let asset = try identifier.map { try member($0, of: album) }
        let isChanged = try changesOneRow(
            "UPDATE collection SET cover_id = ? WHERE id = ? AND cover_id IS NOT ?",
            [asset, album, asset])
        if isChanged { try recordChange(ofCollection: album, isContent: false) }
    }

    /// Remembers which albums an asset leaves that is about to be deleted.
    func recordLeaving(_ asset: Int64) throws {
        let holding = try database.cachedStatement(
            sql: "SELECT album_id FROM album_member WHERE asset_id = ?")
        for album in try holding.values([asset], as: Int64.self) {
            try recordMembers([asset], album)
        }
        let covering = try database.cachedStatement(
            sql: "SELECT id FROM collection WHERE cover_id = ?")
        let covered = try covering.values([asset], as: Int64.self)
        for album in covered { try recordChange(ofCollection: album, isContent: false) }
    }

    // MARK: - Rows

    /// No album has as many assets.
    private static var greatestIndex: Int { 1 << 40 }

    /// The row of an asset, or of the one that is there in the place of one that was not made.
    private func assetForAlbum(_ identifier: String) throws -> Int64 {
        try rowIdentifier(ofAsset: standIns[identifier] ?? identifier)
    }

    private func isMember(_ asset: Int64, of album: Int64) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: "SELECT 1 FROM album_member WHERE album_id = ? AND asset_id = ?")
        return try statement.value([album, asset], as: Int.self) != nil
    }

    /// Those of them that the album does not have yet, each once.
    private func newMembers(_ identifiers: [String], of album: Int64) throws -> [Int64] {
        var seen: Set<Int64> = []
        return try identifiers.map(assetForAlbum).filter {
            try seen.insert($0).inserted && !isMember($0, of: album)
        }
    }

    /// The members at these indexes, in the album's order.
    private func members(at indexes: [Int], of album: Int64) throws -> [Member] {
        guard let first = indexes.min(), let last = indexes.max() else { return [] }
        guard first >= 0, last < Self.greatestIndex else {
            throw Places.outOfRange(first < 0 ? first : last, count: try memberCount(album))
        }
        let rows = try members(of: album, from: first, count: last - first + 1)
        guard rows.count == last - first + 1 else {
            throw Places.outOfRange(last, count: try memberCount(album))
        }
        return Set(indexes).sorted().map { rows[$0 - first] }
    }

    private func memberCount(_ album: Int64) throws -> Int {
        try database.value("SELECT count(*) FROM album_member WHERE album_id = ?", [album]) ?? 0
    }

    /// A stretch of an album; shorter where the album ends.
    private func members(of album: Int64, from index: Int, count: Int) throws -> [Member] {
        try database.records(
            """
            SELECT asset_id, rank FROM album_member WHERE album_id = ?
            ORDER BY rank LIMIT ? OFFSET ?
            """,
            [album, count, index], Member.init)
    }

    private func insert(_ asset: Int64, _ rank: Int64, _ album: Int64) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT INTO album_member (album_id, asset_id, rank) VALUES (?, ?, ?)")
        try statement.execute(arguments: [album, asset, rank])
    }

    private func take(_ assets: [Int64], from album: Int64) throws {
        let statement = try database.cachedStatement(
            sql: "DELETE FROM album_member WHERE album_id = ? AND asset_id = ?")
        for asset in assets { try statement.execute(arguments: [album, asset]) }
    }

    /// Puts assets at an index. Where there are no numbers between the neighbours, more and
    /// more of those around are numbered anew, until all have room.
    private func put(_ assets: [Int64], at index: Int, in album: Int64) throws {
        guard (0..<Self.greatestIndex).contains(index) else {
            throw Places.outOfRange(index, count: try memberCount(album))
        }
        var reach = 0
        while true {
            let start = max(0, index - reach)
            let stretch = try members(
                of: album, from: max(0, start - 1), count: index + reach + 2 - start)
            let low = start > 0 ? stretch.first : nil
            let inside = stretch.dropFirst(start > 0 ? 1 : 0).prefix(index + reach - start)
            let high = stretch.dropFirst((start > 0 ? 1 : 0) + inside.count).first
            guard index - start <= inside.count, start == 0 || low != nil else {
                throw Places.outOfRange(index, count: try memberCount(album))
            }
            var order = inside.map(\.asset)
            order.insert(contentsOf: assets, at: index - start)
            let ranks = MemberRanks.ranks(
                order.count, above: low?.rank, below: high?.rank, distance: reach == 0 ? 1 : 1024)
            if let ranks {
                try take(inside.map(\.asset), from: album)
                for (asset, rank) in zip(order, ranks) { try insert(asset, rank, album) }
                return
            }
            reach = max(64, reach * 8)
        }
    }

    // MARK: - Recording

    private func recordMembers(_ assets: [Int64], _ album: Int64) throws {
        if assets.isEmpty { return }
        for asset in assets { recordMember(asset, ofAlbum: album) }
        try recordChange(ofCollection: album, isContent: true)
    }

    /// An asset that has left the album is its cover no longer.
    private func dropCover(ofAlbum album: Int64) throws {
        let isChanged = try changesOneRow(
            """
            UPDATE collection SET cover_id = NULL WHERE id = ? AND cover_id IS NOT NULL
            AND NOT EXISTS (
                SELECT 1 FROM album_member WHERE album_id = id AND asset_id = cover_id)
            """,
            [album])
        if isChanged { try recordChange(ofCollection: album, isContent: false) }
    }
}
