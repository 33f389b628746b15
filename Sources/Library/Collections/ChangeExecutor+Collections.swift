// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

extension ChangeExecutor {
    /// The row's number of an album or a folder, or `noSuchCollection`.
    func collection(_ kind: CollectionKind, _ identifier: String) throws -> Int64 {
        let id = try database.value(
            "SELECT id FROM collection WHERE uuid = ? AND kind = ?",
            [identifier, kind.rawValue], as: Int64.self)
        guard let id else { throw LibraryError.noSuchCollection(kind, identifier) }
        return id
    }

    /// Makes an empty album or folder, the last one in its folder.
    func insertCollection(
        _ kind: CollectionKind, _ identifier: String, _ title: String, in folder: String?
    ) throws {
        let parent = try folder.map { try collection(.folder, $0) }
        try requireStorable(title)
        let id = try newIdentifier(.collection)
        try database.execute(
            sql: """
                INSERT INTO collection (id, uuid, kind, parent_id, rank, title, created, modified)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id, identifier, kind.rawValue, parent, try lastRank(in: parent), title,
                date.microseconds, date.microseconds,
            ])
        record(.inserted, collection: id, identifier)
        if let parent { try recordChange(ofCollection: parent, isContent: true) }
    }

    /// Gives an album or folder a title, where it has another.
    func setTitle(_ title: String, ofCollection id: Int64) throws {
        try requireStorable(title)
        let isChanged = try changesOneRow(
            "UPDATE collection SET title = ? WHERE id = ? AND title <> ?", [title, id, title])
        if isChanged { try recordChange(ofCollection: id, isContent: false) }
    }

    private func requireStorable(_ title: String) throws {
        guard !title.isEmpty, !title.utf8.contains(0) else {
            throw LibraryError(
                .invalidRequest, "a title has at least one character, and none of them is NUL")
        }
    }

    /// Deletes an album or folder with all that lies in it, but no asset. One that the same
    /// block has deleted already is gone.
    func deleteCollection(_ id: Int64) throws {
        // What lies in a folder goes before it, however deep: no call for each level.
        for id in try contents(of: id).reversed() { try deleteEmptyCollection(id) }
    }

    /// An album or folder and all that lies in it, each behind what it lies in.
    private func contents(of id: Int64) throws -> [Int64] {
        var found = [id]
        var seen: Set<Int64> = [id]
        var next = 0
        while next < found.count {
            for child in try children(of: found[next]) {
                guard seen.insert(child).inserted else {
                    throw LibraryError(.damaged, "a folder lies in itself; run check")
                }
                found.append(child)
            }
            next += 1
        }
        return found
    }

    private func deleteEmptyCollection(_ id: Int64) throws {
        let statement = try database.cachedStatement(
            sql: "DELETE FROM collection WHERE id = ? RETURNING uuid, parent_id")
        let deleted = try statement.record([id]) { row in
            (
                identifier: try row.value(0, as: String.self),
                parent: try row.value(1, as: Int64?.self)
            )
        }
        guard let deleted else { return }
        if let parent = deleted.parent { try recordChange(ofCollection: parent, isContent: true) }
        record(.removed, collection: id, deleted.identifier)
    }

    // MARK: - Recording

    /// Remembers that an album's or folder's members changed, or a property of its own.
    func recordChange(ofCollection id: Int64, isContent: Bool) throws {
        let statement = try database.cachedStatement(
            sql: "UPDATE collection SET modified = max(?, modified) WHERE id = ? RETURNING uuid")
        let identifier = try statement.value([date.microseconds, id], as: String.self)
        guard let identifier else { return }
        record(
            .updated, ObjectKey(type: .collection, id: id), identifier, isContent: isContent,
            isMetadata: !isContent)
    }

    private func record(_ kind: PersistentChange.Kind, collection id: Int64, _ identifier: String) {
        record(
            kind, ObjectKey(type: .collection, id: id), identifier, isContent: true,
            isMetadata: true)
    }
}
