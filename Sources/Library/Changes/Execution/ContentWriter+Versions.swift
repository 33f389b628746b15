// SPDX-License-Identifier: Apache-2.0

import GRDB

/// Names chains of edits, and goes back to them.
extension ContentWriter {
    /// Carries out a change of an asset's versions.
    ///
    /// - Parameter generation: that of the asset's content which the caller saw; nil: any.
    func apply(_ change: VersionChange, _ identifier: String, from generation: Int?) throws {
        let id = try assets.row(of: identifier)
        switch change {
        case .save(let name, let replaces):
            try save(name, replaces: replaces, id, identifier)
        case .use(let name, let tip, let rendered):
            try requireOwnGeneration(generation, id, identifier)
            try use(name, tip, rendered, id, identifier)
            return
        case .rename(let name, let other):
            guard name != other else { return _ = try tip(of: name, id, identifier) }
            try requireFree(other, id, identifier)
            try requireOne(
                "UPDATE version SET name = ? WHERE asset_id = ? AND name = ?", [other, id, name],
                name, identifier)
        case .remove(let name):
            try requireOne(
                "DELETE FROM version WHERE asset_id = ? AND name = ?", [id, name], name, identifier)
            try edits.removeUnreachable(ofAsset: id)
        }
        assets.record(.updated, id, identifier, isContent: false)
    }

    private func save(
        _ name: String, replaces: Bool, _ id: Int64, _ identifier: String
    ) throws {
        let tip = try database.value(
            """
            SELECT tip_id FROM asset JOIN state ON asset_id = asset.id AND state.position = asset.position
            WHERE asset.id = ?
            """, [id], as: Int64.self)
        guard let tip else {
            throw LibraryError(
                .noSuchEdit,
                "it has no edits; a version is of edits, and revert goes to the original",
                asset: identifier)
        }
        if replaces {
            try context.execute(
                "DELETE FROM version WHERE asset_id = ? AND name = ?", [id, name])
        } else {
            try requireFree(name, id, identifier)
        }
        try context.execute(
            "INSERT INTO version (asset_id, name, tip_id, created) VALUES (?, ?, ?, ?)",
            [id, name, tip, context.date.microseconds])
        if replaces { try edits.removeUnreachable(ofAsset: id) }
    }

    /// Adds a state with the version's own edits: nothing is copied, nothing is rendered.
    private func use(
        _ name: String, _ expected: String?, _ rendered: RenderedContent?, _ id: Int64,
        _ identifier: String
    ) throws {
        let tip = try tip(of: name, id, identifier)
        if let expected {
            let found = try database.value(
                "SELECT uuid FROM edit WHERE id = ?", [tip], as: String.self)
            guard found == expected else {
                throw LibraryError(
                    .conflict, "\"\(name)\" has become another version meanwhile; try again",
                    asset: identifier)
            }
        }
        try ability(of: identifier).require(.content)
        let format = try database.value(
            "SELECT format_identifier FROM edit WHERE id = ?", [tip], as: String.self)
        let history = try HistoryReader(database: database, assetIdentifier: identifier).history()
        try addState(behind: history, rendered, format, id, identifier) { tip }
    }

    private func tip(of name: String, _ id: Int64, _ identifier: String) throws -> Int64 {
        let tip = try database.value(
            "SELECT tip_id FROM version WHERE asset_id = ? AND name = ?", [id, name],
            as: Int64.self)
        guard let tip else { throw Self.missing(name, identifier) }
        return tip
    }

    private func requireFree(_ name: String, _ id: Int64, _ identifier: String) throws {
        let known = try database.value(
            "SELECT 1 FROM version WHERE asset_id = ? AND name = ?", [id, name], as: Int.self)
        guard known == nil else {
            throw LibraryError(
                .invalidRequest, "there is a version \"\(name)\" already", asset: identifier)
        }
    }

    private func requireOne(
        _ sql: String, _ arguments: StatementArguments, _ name: String, _ identifier: String
    ) throws {
        guard try context.changesOneRow(sql, arguments) else {
            throw Self.missing(name, identifier)
        }
    }

    private static func missing(_ name: String, _ identifier: String) -> LibraryError {
        LibraryError(
            .noSuchVersion, "it has no version \"\(name)\"", asset: identifier)
    }
}
