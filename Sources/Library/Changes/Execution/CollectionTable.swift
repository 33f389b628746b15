// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

/// The `collection` table: properties common to albums and folders.
struct CollectionTable {
    let context: ChangeContext

    private var database: Database { context.database }

    // MARK: - Reading

    /// Returns the row ID of a collection of one kind.
    ///
    /// - Throws: `LibraryError` with `noSuchCollection`.
    func row(_ kind: CollectionKind, _ identifier: String) throws -> Int64 {
        let id = try database.value(
            "SELECT id FROM collection WHERE uuid = ? AND kind = ?",
            [identifier, kind.rawValue], as: Int64.self)
        guard let id else { throw LibraryError.noSuchCollection(kind, identifier) }
        return id
    }

    /// Returns the row ID of an album or folder.
    ///
    /// - Throws: `LibraryError` with `noSuchCollection`.
    func row(_ identifier: String) throws -> Int64 {
        let id = try database.value(
            "SELECT id FROM collection WHERE uuid = ?", [identifier], as: Int64.self)
        guard let id else { throw LibraryError.noSuchCollection(.album, identifier) }
        return id
    }

    /// Returns the parent folder of a collection; nil is the top level.
    func parent(of id: Int64) throws -> Int64? {
        let statement = try database.cachedStatement(
            sql: "SELECT parent_id FROM collection WHERE id = ?")
        return try statement.value([id], as: Int64?.self) ?? nil
    }

    /// Returns the children of a folder, in order; nil is the top level.
    func children(of folder: Int64?) throws -> [Int64] {
        let statement = try database.cachedStatement(
            sql: "SELECT id FROM collection WHERE parent_id IS ? ORDER BY rank, id")
        return try statement.records([folder]) { try $0.rowNumber(0) }
    }

    /// Returns the highest rank in a folder.
    func lastRank(in folder: Int64?) throws -> Int64 {
        let last = try database.record(
            "SELECT max(rank) FROM collection WHERE parent_id IS ?", [folder]
        ) { try $0.rank(0) }
        return ((last ?? nil) ?? 0) + MemberRanks.gap
    }

    /// Returns the cover of an album; nil if it has none.
    func cover(of id: Int64) throws -> Int64? {
        try database.value("SELECT cover_id FROM collection WHERE id = ?", [id], as: Int64?.self)
            ?? nil
    }

    // MARK: - Writing

    /// Inserts an empty album or folder at the end of its parent folder.
    func insert(
        _ kind: CollectionKind, _ identifier: String, _ title: String, in folder: String?
    ) throws {
        let parent = try folder.map { try row(.folder, $0) }
        try insert(kind, identifier, title, in: parent, rank: nil)
    }

    /// Inserts an empty album or folder at a rank of its parent folder; nil is the end.
    func insert(
        _ kind: CollectionKind, _ identifier: String, _ title: String, in parent: Int64?,
        rank: Int64?
    ) throws {
        try StoredValueLimits.requireStorable(title: title)
        let id = try context.newIdentifier(.collection)
        try database.execute(
            sql: """
                INSERT INTO collection (id, uuid, kind, parent_id, rank, title, created, modified)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id, identifier, kind.rawValue, parent, try rank ?? lastRank(in: parent), title,
                context.date.microseconds, context.date.microseconds,
            ])
        record(.inserted, id, identifier)
        recordValue(.existence, of: id, from: .empty, to: .text(kind.rawValue))
        recordValue(.title, of: id, from: .empty, to: .text(title))
        recordValue(.place, of: id, from: .empty, to: try place(of: id))
        if let parent { try recordChange(of: parent, isContent: true) }
    }

    /// Sets the title of a collection, if it differs.
    func setTitle(_ title: String, of id: Int64) throws {
        try StoredValueLimits.requireStorable(title: title)
        let before = try database.value(
            "SELECT title FROM collection WHERE id = ?", [id], as: String.self)
        let isChanged = try context.changesOneRow(
            "UPDATE collection SET title = ? WHERE id = ? AND title <> ?", [title, id, title])
        guard isChanged else { return }
        try recordChange(of: id, isContent: false)
        recordValue(.title, of: id, from: JournalValue(before), to: .text(title))
    }

    /// Sets the cover of an album, if it differs.
    func setCover(_ asset: Int64?, of id: Int64) throws {
        let before = try cover(of: id)
        if before == asset { return }
        try context.execute("UPDATE collection SET cover_id = ? WHERE id = ?", [asset, id])
        try recordChange(of: id, isContent: false)
        recordValue(.cover, of: id, from: JournalValue(before), to: JournalValue(asset))
    }

    // MARK: - Deleting

    /// Deletes a collection with all its descendants, but no assets. A no-op if the same block has
    /// already deleted it.
    func delete(_ id: Int64) throws {
        // Deletes descendants first. Iterative, so that nesting depth cannot overflow the stack.
        for id in try withDescendants(id).reversed() { try deleteEmpty(id) }
    }

    /// Returns a collection and all its descendants, parents first.
    private func withDescendants(_ id: Int64) throws -> [Int64] {
        var found = [id]
        var seen: Set<Int64> = [id]
        var next = 0
        while next < found.count {
            for child in try children(of: found[next]) {
                guard seen.insert(child).inserted else { throw Self.folderInItself }
                found.append(child)
            }
            next += 1
        }
        return found
    }

    /// The error for a parent cycle, which only a corrupt database contains.
    static var folderInItself: LibraryError {
        LibraryError(.damaged, "a folder contains itself; run edithost check")
    }

    private func deleteEmpty(_ id: Int64) throws {
        try recordRemoval(of: id)
        let statement = try database.cachedStatement(
            sql: "DELETE FROM collection WHERE id = ? RETURNING uuid, parent_id")
        let deleted = try statement.record([id]) { row in
            (
                identifier: try row.value(0, as: String.self),
                parent: try row.value(1, as: Int64?.self)
            )
        }
        guard let deleted else { return }
        if let parent = deleted.parent { try recordChange(of: parent, isContent: true) }
        record(.removed, id, deleted.identifier)
    }

    // MARK: - Recording

    /// Records a change of a collection's members or of its own properties.
    func recordChange(of id: Int64, isContent: Bool) throws {
        let statement = try database.cachedStatement(
            sql: "UPDATE collection SET modified = max(?, modified) WHERE id = ? RETURNING uuid")
        let identifier = try statement.value([context.date.microseconds, id], as: String.self)
        guard let identifier else { return }
        context.recorder.record(
            .updated, .init(type: .collection, id: id), identifier, isContent: isContent,
            isMetadata: !isContent)
    }

    /// Records the values of a property of a collection in the journal.
    func recordValue(
        _ property: JournalProperty, item: JournalValue = .text(""), of id: Int64,
        from old: JournalValue, to new: JournalValue
    ) {
        context.recorder.recordValue(
            property, item: item, of: .init(type: .collection, id: id), from: old, to: new)
    }

    private func record(_ kind: PersistentChange.Kind, _ id: Int64, _ identifier: String) {
        context.recorder.record(
            kind, .init(type: .collection, id: id), identifier, isContent: true,
            isMetadata: true)
    }
}
