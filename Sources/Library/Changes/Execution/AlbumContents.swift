// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The ordered assets of an album.
struct AlbumContents: CollectionContents {
    /// The row ID of the album.
    let album: Int64
    let assets: AssetTable
    let members: AlbumMemberTable

    func row(of identifier: String) throws -> Int64 {
        try assets.row(of: assets.resolvePlaceholder(identifier))
    }

    func contains(_ row: Int64) throws -> Bool { try members.contains(row, in: album) }

    /// Identifiers of assets that no longer exist are ignored.
    func present(_ identifiers: [String]) throws -> [Int64] {
        let statement = try assets.context.database.cachedStatement(
            sql: """
                SELECT id FROM asset WHERE uuid = ?
                AND EXISTS (SELECT 1 FROM album_member WHERE album_id = ? AND asset_id = id)
                """)
        return try identifiers.compactMap { identifier in
            try statement.value([assets.resolvePlaceholder(identifier), album], as: Int64.self)
        }
    }

    func rows(at indexes: [Int]) throws -> [Int64] {
        try members.members(at: indexes, of: album).map(\.asset)
    }

    func append(_ rows: [Int64]) throws {
        try members.append(rows, to: album)
        try members.recordChange(of: rows, in: album)
    }

    func insert(_ places: ListInsertions) throws {
        for (index, assets) in places.runs { try members.insert(assets, at: index, in: album) }
        try members.recordChange(of: places.elements, in: album)
    }

    func remove(_ rows: [Int64]) throws {
        try members.remove(rows, from: album)
        try members.recordChange(of: rows, in: album)
        try dropCover()
    }

    func move(at indexes: [Int], to destination: Int) throws {
        let moved = try rows(at: indexes)
        guard let first = indexes.min(), let last = indexes.max() else { return }
        if first == destination, last - first == moved.count - 1 { return }
        try move(moved, to: destination)
    }

    private func move(_ rows: [Int64], to index: Int) throws {
        try members.remove(rows, from: album)
        try members.insert(rows, at: index, in: album)
        try members.recordChange(of: rows, in: album)
    }

    // MARK: - Album-only operations

    /// Replaces the assets at these indexes, one for each index.
    func replace(at indexes: [Int], with identifiers: [String]) throws {
        guard indexes.count == identifiers.count, Set(indexes).count == indexes.count else {
            throw LibraryError(
                .invalidRequest, "give one replacement for each index, and each index only once")
        }
        let pairs = zip(indexes, try identifiers.map(row)).sorted { $0.0 < $1.0 }
        let before = try members.members(at: indexes, of: album)
        let changed = zip(before, pairs.map(\.1)).filter { $0.asset != $1 }
        try members.remove(changed.map(\.0.asset), from: album)
        guard Set(changed.map(\.1)).count == changed.count,
            try changed.allSatisfy({ try !contains($0.1) })
        else {
            throw LibraryError(
                .invalidRequest, "an album cannot contain the same asset twice")
        }
        for (member, asset) in changed { try members.insert(asset, rank: member.rank, in: album) }
        try members.recordChange(of: changed.flatMap { [$0.0.asset, $0.1] }, in: album)
        try dropCover()
    }

    /// Moves assets within the album, in the order given.
    func move(_ identifiers: [String], to position: AlbumPosition) throws {
        var seen: Set<Int64> = []
        let moved = try identifiers.map(member).filter { seen.insert($0).inserted }
        let before = try members.all(of: album)
        var order = before.filter { !seen.contains($0) }
        let index: Int
        switch position {
        case .start: index = 0
        case .end: index = order.count
        case .before(let asset): index = try place(of: asset, in: order)
        case .after(let asset): index = try place(of: asset, in: order) + 1
        }
        order.insert(contentsOf: moved, at: index)
        if order == before { return }
        try move(moved, to: index)
    }

    /// Returns the row ID of an asset, which must be in the album.
    private func member(_ identifier: String) throws -> Int64 {
        let asset = try row(of: identifier)
        guard try contains(asset) else {
            throw LibraryError(
                .invalidRequest, "not in the album", asset: identifier)
        }
        return asset
    }

    private func place(of neighbour: any AssetReference, in order: [Int64]) throws -> Int {
        let asset = try member(neighbour.localIdentifier)
        guard let place = order.firstIndex(of: asset) else {
            throw LibraryError(
                .invalidRequest, "a photo cannot be moved before or after itself",
                asset: neighbour.localIdentifier)
        }
        return place
    }

    /// Restores the ranks of assets; nil removes an asset. If a rank is in use, the asset is
    /// appended.
    func restore(_ ranks: [(asset: Int64, rank: Int64?)]) throws {
        try members.remove(ranks.map(\.asset), from: album)
        for (asset, rank) in ranks {
            guard let rank else { continue }
            if try members.isFree(rank, in: album) {
                try members.insert(asset, rank: rank, in: album)
            } else {
                try members.append([asset], to: album)
            }
        }
        try members.recordChange(of: ranks.map(\.asset), in: album)
        try dropCover()
    }

    /// Sets the album's cover to one of its assets; nil removes the cover.
    func setCover(_ identifier: String?) throws {
        let asset = try identifier.map(member)
        try members.collections.setCover(asset, of: album)
    }

    /// Clears the cover if its asset is no longer in the album.
    private func dropCover() throws {
        guard let cover = try members.collections.cover(of: album),
            try !members.contains(cover, in: album)
        else { return }
        try members.collections.setCover(nil, of: album)
    }
}
