// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The `asset` table, with the state that one change keeps about its assets.
final class AssetTable {
    let context: ChangeContext
    /// Assets whose content this block has already changed. Their generation is not checked again.
    var ownGenerations: Set<String> = []
    /// The identifiers of existing assets that have the same originals as assets requested by this
    /// block, keyed by the placeholders of these.
    var existingAssets: [String: String] = [:]

    init(context: ChangeContext) { self.context = context }

    /// Returns the row ID of an asset.
    ///
    /// - Parameter mayBeTrashed: Whether an asset in the trash is accepted.
    /// - Throws: `LibraryError` with `noSuchAsset`.
    func row(of identifier: String, mayBeTrashed: Bool = false) throws -> Int64 {
        let found = try rowAndTrash(of: identifier)
        guard mayBeTrashed || !found.isTrashed else { throw LibraryError.assetInTrash(identifier) }
        return found.id
    }

    /// Returns the row ID of an asset, and whether it is in the trash.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset`.
    func rowAndTrash(of identifier: String) throws -> (id: Int64, isTrashed: Bool) {
        let statement = try context.database.cachedStatement(
            sql: "SELECT id, trashed_date IS NOT NULL FROM asset WHERE uuid = ?")
        let found = try statement.record([identifier]) { row in
            (id: try row.rowNumber(0), isTrashed: try row.value(1, as: Bool.self))
        }
        guard let found else { throw LibraryError.noSuchAsset(identifier) }
        return found
    }

    /// Inserts a row with the given columns.
    func insert(_ values: [String: (any DatabaseValueConvertible)?]) throws {
        let names = values.keys.sorted()
        try context.execute(
            """
            INSERT INTO asset (\(names.joined(separator: ", ")))
            VALUES (\(names.map { ":" + $0 }.joined(separator: ", ")))
            """,
            StatementArguments(values))
    }

    /// Updates columns of an asset if a value differs, along with its modification date.
    ///
    /// - Parameter isRecorded: Whether the journal records the values.
    func update(
        _ id: Int64, _ values: [String: (any DatabaseValueConvertible)?], of identifier: String,
        isRecorded: Bool = true
    ) throws {
        if values.isEmpty { return }
        let properties = isRecorded ? JournalColumns.properties(of: values) : []
        let before = try JournalColumns.read(properties, ofAsset: id, context.database)
        let names = values.keys.sorted()
        let differs = names.map { "\($0) IS NOT :\($0)" }.joined(separator: " OR ")
        var arguments = values
        arguments["id"] = id
        arguments["date"] = context.date.microseconds
        let statement = try context.database.cachedStatement(
            sql: """
                UPDATE asset SET \(names.map { "\($0) = :\($0)" }.joined(separator: ", ")),
                    modification_date = max(:date, modification_date + 1)
                WHERE id = :id AND (\(differs)) RETURNING \(JournalColumns.names(of: properties))
                """)
        let after = try statement.record(StatementArguments(arguments)) { row in
            try JournalColumns.values(of: properties, row)
        }
        guard let after else { return }
        record(.updated, id, identifier, isContent: false)
        for (property, (old, new)) in zip(properties, zip(before, after)) where old != new {
            recordValue(property, of: id, from: old, to: new)
        }
    }

    /// Updates an asset's modification date after a change outside its row.
    func touch(_ id: Int64, _ identifier: String) throws {
        try context.execute(
            "UPDATE asset SET modification_date = max(?, modification_date + 1) WHERE id = ?",
            [context.date.microseconds, id])
        record(.updated, id, identifier, isContent: false)
    }

    /// Deletes a row and, by foreign keys, all rows that reference it.
    func delete(_ id: Int64, _ identifier: String) throws {
        try context.execute("DELETE FROM asset WHERE id = ?", [id])
        record(.removed, id, identifier, isContent: true)
    }

    /// Records a change of an asset in the history.
    func record(
        _ kind: PersistentChange.Kind, _ id: Int64, _ identifier: String, isContent: Bool
    ) {
        context.recorder.record(
            kind, .init(type: .asset, id: id), identifier, isContent: isContent,
            isMetadata: !isContent)
    }

    /// Records the values of a property of an asset in the journal.
    func recordValue(
        _ property: JournalProperty, item: JournalValue = .text(""), of id: Int64,
        from old: JournalValue, to new: JournalValue
    ) {
        context.recorder.recordValue(
            property, item: item, of: .init(type: .asset, id: id), from: old, to: new)
    }
}
