// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The albums and folders in a folder or at the top level. Folders are small, so every reordering
/// simply renumbers all children.
struct FolderContents: CollectionContents {
    /// The row ID of the folder; nil is the top level.
    let folder: Int64?
    let collections: CollectionTable

    func row(of identifier: String) throws -> Int64 { try collections.row(identifier) }

    func contains(_ row: Int64) throws -> Bool { try collections.parent(of: row) == folder }

    func present(_ identifiers: [String]) throws -> [Int64] {
        let here = Set(try collections.children(of: folder))
        return try identifiers.map(row).filter(here.contains)
    }

    func rows(at indexes: [Int]) throws -> [Int64] {
        let order = try collections.children(of: folder)
        return try ListInsertions.checked(indexes, count: order.count).map { order[$0] }
    }

    /// Throws `folderInItself` if a folder would become its own descendant.
    func requireAllowed(_ rows: [Int64]) throws {
        let moved = Set(rows)
        var passed: Set<Int64> = []
        var above = folder
        while let ancestor = above {
            guard !moved.contains(ancestor) else {
                throw LibraryError(
                    .folderInItself,
                    "a folder cannot be moved into itself or into one of its subfolders")
            }
            guard passed.insert(ancestor).inserted else { throw CollectionTable.folderInItself }
            above = try collections.parent(of: ancestor)
        }
    }

    /// Moves albums and folders to the end of this folder, from any other folder.
    func append(_ rows: [Int64]) throws {
        for child in rows { try move(child, to: folder, rank: collections.lastRank(in: folder)) }
    }

    /// Moves albums and folders to indexes in this folder, from any other folder.
    func insert(_ places: ListInsertions) throws {
        var order = try collections.children(of: folder)
        try places.insert(into: &order)
        for child in places.elements { try move(child, to: folder, rank: 0) }
        try number(order)
    }

    /// Moves albums and folders of this folder to the end of the top level.
    func remove(_ rows: [Int64]) throws {
        guard folder != nil else {
            throw LibraryError(
                .invalidRequest,
                "albums and folders cannot be removed from the top level; delete them, or move "
                    + "them into a folder")
        }
        for child in rows { try move(child, to: nil, rank: collections.lastRank(in: nil)) }
    }

    func move(at indexes: [Int], to destination: Int) throws {
        let before = try collections.children(of: folder)
        let moved = try ListInsertions.checked(indexes, count: before.count).map { before[$0] }
        var order = before.filter { !moved.contains($0) }
        guard (0...order.count).contains(destination) else {
            throw ListInsertions.outOfRange(destination, count: order.count)
        }
        order.insert(contentsOf: moved, at: destination)
        if order == before { return }
        try number(order)
        if let folder { try collections.recordChange(of: folder, isContent: true) }
        for child in moved { try collections.recordChange(of: child, isContent: false) }
    }

    /// Moves an album or folder from any other folder to a rank of this one.
    func put(_ child: Int64, rank: Int64) throws {
        try requireAllowed([child])
        try move(child, to: folder, rank: rank)
    }

    private func move(_ child: Int64, to folder: Int64?, rank: Int64) throws {
        let before = try collections.parent(of: child)
        let place = try collections.place(of: child)
        try collections.context.database.execute(
            sql: "UPDATE collection SET parent_id = ?, rank = ? WHERE id = ?",
            arguments: [folder, rank, child])
        collections.recordValue(
            .place, of: child, from: place, to: try collections.place(of: child))
        for place in [before, folder] {
            if let place { try collections.recordChange(of: place, isContent: true) }
        }
        try collections.recordChange(of: child, isContent: false)
    }

    private func number(_ order: [Int64]) throws {
        let statement = try collections.context.database.cachedStatement(
            sql: "UPDATE collection SET rank = ? WHERE id = ?")
        for (index, id) in order.enumerated() {
            try statement.execute(arguments: [Int64(index + 1) * MemberRanks.gap, id])
        }
    }
}
