// SPDX-License-Identifier: Apache-2.0

import GRDB

/// What lies in a folder, or at the top. There are not many, so that all are numbered anew
/// where the order changes.
extension ChangeExecutor {
    /// The rows of the albums and folders in a folder, in order; nil is the top.
    func children(of folder: Int64?) throws -> [Int64] {
        let statement = try database.cachedStatement(
            sql: "SELECT id FROM collection WHERE parent_id IS ? ORDER BY rank, id")
        return try statement.records([folder]) { try $0.rowNumber(0) }
    }

    /// The rank of what comes last in a folder.
    func lastRank(in folder: Int64?) throws -> Int64 {
        let last = try database.record(
            "SELECT max(rank) FROM collection WHERE parent_id IS ?", [folder]
        ) { try $0.rank(0) }
        return ((last ?? nil) ?? 0) + MemberRanks.gap
    }

    /// Puts albums and folders at the end, from wherever they are.
    func addChildren(_ identifiers: [String], to folder: Int64?) throws {
        for child in try newChildren(identifiers, of: folder) {
            try move(child, to: folder, rank: try lastRank(in: folder))
        }
    }

    /// Puts albums and folders where they then have these indexes.
    func insertChildren(_ identifiers: [String], at indexes: [Int], in folder: Int64?) throws {
        let isNew = Set(try newChildren(identifiers, of: folder))
        let named = try identifiers.map(child)
        let places = try Places(ascending: indexes, for: named, where: isNew.contains)
        var order = try children(of: folder)
        try places.insert(into: &order)
        for child in places.elements { try move(child, to: folder, rank: 0) }
        try number(order)
    }

    /// Puts albums and folders of this folder at the end of the top.
    func removeChildren(_ identifiers: [String], from folder: Int64?) throws {
        let here = Set(try children(of: folder))
        try moveToTop(try identifiers.map(child).filter(here.contains), from: folder)
    }

    /// Puts the albums and folders at these indexes at the end of the top.
    func removeChildren(at indexes: [Int], from folder: Int64?) throws {
        let order = try children(of: folder)
        let places = try Places.checked(indexes, count: order.count)
        try moveToTop(places.map { order[$0] }, from: folder)
    }

    private func moveToTop(_ children: [Int64], from folder: Int64?) throws {
        guard folder != nil else {
            throw LibraryError(
                .invalidRequest,
                "what lies at the top cannot be taken out of it: delete it, or put it in a folder")
        }
        for child in children { try move(child, to: nil, rank: try lastRank(in: nil)) }
    }

    /// Takes the albums and folders at these indexes out and puts them in again.
    func moveChildren(at indexes: [Int], to destination: Int, in folder: Int64?) throws {
        let before = try children(of: folder)
        let places = try Places.checked(indexes, count: before.count)
        let moved = places.map { before[$0] }
        var order = before.filter { !moved.contains($0) }
        guard (0...order.count).contains(destination) else {
            throw Places.outOfRange(destination, count: order.count)
        }
        order.insert(contentsOf: moved, at: destination)
        if order == before { return }
        try number(order)
        if let folder { try recordChange(ofCollection: folder, isContent: true) }
        for child in moved { try recordChange(ofCollection: child, isContent: false) }
    }

    // MARK: - One

    private func child(_ identifier: String) throws -> Int64 {
        let id = try database.value(
            "SELECT id FROM collection WHERE uuid = ?", [identifier], as: Int64.self)
        guard let id else { throw LibraryError.noSuchCollection(.album, identifier) }
        return id
    }

    private func parent(of id: Int64) throws -> Int64? {
        let statement = try database.cachedStatement(
            sql: "SELECT parent_id FROM collection WHERE id = ?")
        return try statement.value([id], as: Int64?.self) ?? nil
    }

    /// Those of them that are not in the folder yet, each once.
    private func newChildren(_ identifiers: [String], of folder: Int64?) throws -> [Int64] {
        var seen: Set<Int64> = []
        let new = try identifiers.map(child).filter {
            try seen.insert($0).inserted && parent(of: $0) != folder
        }
        let moved = Set(new)
        var passed: Set<Int64> = []
        var above = folder
        while let ancestor = above {
            guard !moved.contains(ancestor) else {
                throw LibraryError(
                    .folderInItself, "a folder cannot lie in itself, nor in one that lies in it")
            }
            guard passed.insert(ancestor).inserted else {
                throw LibraryError(.damaged, "a folder lies in itself; run check")
            }
            above = try parent(of: ancestor)
        }
        return new
    }

    private func move(_ child: Int64, to folder: Int64?, rank: Int64) throws {
        let before = try parent(of: child)
        try database.execute(
            sql: "UPDATE collection SET parent_id = ?, rank = ? WHERE id = ?",
            arguments: [folder, rank, child])
        for place in [before, folder] {
            if let place { try recordChange(ofCollection: place, isContent: true) }
        }
        try recordChange(ofCollection: child, isContent: false)
    }

    private func number(_ order: [Int64]) throws {
        let statement = try database.cachedStatement(
            sql: "UPDATE collection SET rank = ? WHERE id = ?")
        for (index, id) in order.enumerated() {
            try statement.execute(arguments: [Int64(index + 1) * MemberRanks.gap, id])
        }
    }
}
