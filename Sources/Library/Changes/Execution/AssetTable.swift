// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

/// The rows of assets.
final class AssetTable {
    let context: ChangeContext
    /// Assets whose content this block has changed already; their generation is ours.
    var ownGenerations: Set<String> = []
    /// The assets that are there in the place of some that were to be made but have the same
    /// original; by the identifiers of the placeholders.
    private var standIns: [String: String] = [:]

    init(context: ChangeContext) { self.context = context }

    /// Remembers that an asset is there in the place of one that was to be made.
    func setStandIn(_ identifier: String, for placeholder: String) {
        standIns[placeholder] = identifier
    }

    /// The identifier of an asset, or of the one that is there in the place of one that was not
    /// made.
    func resolved(_ identifier: String) -> String { standIns[identifier] ?? identifier }

    /// The row's number of an asset, or `noSuchAsset`.
    func row(of identifier: String) throws -> Int64 {
        let statement = try context.database.cachedStatement(
            sql: "SELECT id FROM asset WHERE uuid = ?")
        guard let id = try statement.value([identifier], as: Int64.self) else {
            throw LibraryError.noSuchAsset(identifier)
        }
        return id
    }

    /// Inserts a row with these columns.
    func insert(_ values: [String: (any DatabaseValueConvertible)?]) throws {
        let names = values.keys.sorted()
        try context.execute(
            """
            INSERT INTO asset (\(names.joined(separator: ", ")))
            VALUES (\(names.map { ":" + $0 }.joined(separator: ", ")))
            """,
            StatementArguments(values))
    }

    /// Sets columns of an asset, and its modification date, where a value differs.
    func update(
        _ id: Int64, _ values: [String: (any DatabaseValueConvertible)?], of identifier: String
    ) throws {
        if values.isEmpty { return }
        let names = values.keys.sorted()
        let differs = names.map { "\($0) IS NOT :\($0)" }.joined(separator: " OR ")
        var arguments = values
        arguments["id"] = id
        arguments["date"] = context.date.microseconds
        let isChanged = try context.changesOneRow(
            """
            UPDATE asset SET \(names.map { "\($0) = :\($0)" }.joined(separator: ", ")),
                modification_date = max(:date, modification_date + 1)
            WHERE id = :id AND (\(differs))
            """,
            StatementArguments(arguments))
        if isChanged { record(.updated, id, identifier, isContent: false) }
    }

    /// Sets an asset's modification date, for a change outside its row.
    func touch(_ id: Int64, _ identifier: String) throws {
        try context.execute(
            "UPDATE asset SET modification_date = max(?, modification_date + 1) WHERE id = ?",
            [context.date.microseconds, id])
        record(.updated, id, identifier, isContent: false)
    }

    /// Deletes a row, and with it everything that refers to it.
    func delete(_ id: Int64, _ identifier: String) throws {
        try context.execute("DELETE FROM asset WHERE id = ?", [id])
        record(.removed, id, identifier, isContent: true)
    }

    /// Remembers that an asset changed.
    func record(
        _ kind: PersistentChange.Kind, _ id: Int64, _ identifier: String, isContent: Bool
    ) {
        context.recorder.record(
            kind, .init(type: .asset, id: id), identifier, isContent: isContent,
            isMetadata: !isContent)
    }
}
