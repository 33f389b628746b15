// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

/// Saves and restores named versions of the edit stack.
extension ContentWriter {
    /// Executes a change of an asset's versions.
    ///
    /// - Parameter generation: The content generation that the caller saw; nil skips the check.
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
            let stored = try self.stored(name, id, identifier)
            guard !stored.utf8.elementsEqual(other.utf8) else { return }
            try requireFree(other, butFor: stored, id, identifier)
            try context.execute(
                "UPDATE version SET name = ? WHERE asset_id = ? AND name = ?", [other, id, stored])
        case .remove(let name):
            try context.execute(
                "DELETE FROM version WHERE asset_id = ? AND name = ?",
                [id, try self.stored(name, id, identifier)])
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
                "no edits to save as a version; to return to the original, use revert",
                asset: identifier)
        }
        if replaces, NameMatch(name, among: try names(id)) != .none {
            try context.execute(
                "DELETE FROM version WHERE asset_id = ? AND name = ?",
                [id, try self.stored(name, id, identifier)])
        } else {
            try requireFree(name, id, identifier)
        }
        try context.execute(
            "INSERT INTO version (asset_id, name, tip_id, created) VALUES (?, ?, ?, ?)",
            [id, name, tip, context.date.microseconds])
        if replaces { try edits.removeUnreachable(ofAsset: id) }
    }

    /// Adds a state that shares the version's edits. Copies and renders nothing.
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
                    .conflict, "the version \"\(name)\" was changed in the meantime; try again",
                    asset: identifier)
            }
        }
        try ability(of: identifier).require(.content)
        let format = try database.value(
            "SELECT format_identifier FROM edit WHERE id = ?", [tip], as: String.self)
        let history = try HistoryReader(database: database, assetIdentifier: identifier).history()
        try addState(behind: history.position, rendered, format, id, identifier) { tip }
    }

    private func tip(of name: String, _ id: Int64, _ identifier: String) throws -> Int64 {
        let tip = try database.value(
            "SELECT tip_id FROM version WHERE asset_id = ? AND name = ?",
            [id, try self.stored(name, id, identifier)], as: Int64.self)
        guard let tip else { throw Self.missing(name, identifier) }
        return tip
    }

    private func names(_ id: Int64) throws -> [String] {
        try database.values("SELECT name FROM version WHERE asset_id = ? ORDER BY name", [id])
    }

    /// Returns the stored name of the version that matches a given name.
    private func stored(_ name: String, _ id: Int64, _ identifier: String) throws -> String {
        switch NameMatch(name, among: try names(id)) {
        case .one(let stored): return stored
        case .none: throw Self.missing(name, identifier)
        case .several(let names): throw LibraryError.ambiguousVersion(name, names, identifier)
        }
    }

    private func requireFree(
        _ name: String, butFor renamed: String? = nil, _ id: Int64, _ identifier: String
    ) throws {
        let others = try names(id).filter { other in
            renamed.map { !$0.utf8.elementsEqual(other.utf8) } ?? true
        }
        guard let taken = others.first(where: { $0.isSameName(as: name) }) else { return }
        throw LibraryError(
            .versionExists,
            "the version \"\(taken)\" already exists; replace it, or "
                + "choose another name", asset: identifier)
    }

    private static func missing(_ name: String, _ identifier: String) -> LibraryError {
        LibraryError(
            .noSuchVersion, "no version \"\(name)\"", asset: identifier)
    }
}
