// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

/// Reads the history of one asset, inside a transaction.
struct HistoryReader {
    let database: Database
    let assetIdentifier: String

    /// Returns the whole history. Throws `noSuchAsset`.
    func history() throws -> AssetHistory {
        // Statements are cached, because histories are read by the thousand.
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(Asset.columns), id, position, reverted_position FROM asset WHERE uuid = ?
                """)
        let found = try statement.record([assetIdentifier]) { row in
            (
                asset: try Asset(row: row), id: try row.rowNumber(Asset.columnCount),
                position: try row.value(Asset.columnCount + 1, as: Int?.self) ?? 0,
                reverted: try row.value(Asset.columnCount + 2, as: Int?.self)
            )
        }
        guard let (asset, id, position, reverted) = found else {
            throw LibraryError.noSuchAsset(assetIdentifier)
        }
        let edits = try edits(ofAsset: id)
        var count = 0
        let states = try states(ofAsset: id, edits, &count)
        guard (0...states.count).contains(position) else {
            throw damage("its current state is missing", nil)
        }
        return AssetHistory(
            asset: asset, originals: try originals(ofAsset: id), states: states,
            versions: try versions(ofAsset: id, edits, &count), position: position,
            // A wrong value only loses the undo of the revert.
            revertedPosition: reverted.flatMap { $0 >= 1 && $0 <= states.count ? $0 : nil })
    }

    private func originals(ofAsset id: Int64) throws -> [AssetResource] {
        try database.cachedStatement(
            sql: "\(AssetResource.query) WHERE asset_id = ? ORDER BY is_primary DESC, resource.id"
        ).records([id], AssetResource.init(row:))
    }

    /// Returns the undo list, whose positions are 1, 2, 3 and so on.
    ///
    /// - Parameter total: The number of edits in all chains so far, which is limited.
    private func states(
        ofAsset id: Int64, _ edits: [Int64: StoredEdit], _ total: inout Int
    ) throws -> [AssetState] {
        var count = 0
        let statement = try database.cachedStatement(
            sql: "SELECT position, tip_id, created FROM state WHERE asset_id = ? ORDER BY position")
        return try statement.records([id]) { row in
            count += 1
            guard try row.value(0) == count else { throw damage("a state is missing", nil) }
            let chain = try chain(upTo: row.value(1), of: edits, &total)
            return AssetState(
                position: count, chain: chain, createdDate: try row.value(2))
        }
    }

    private func versions(
        ofAsset id: Int64, _ edits: [Int64: StoredEdit], _ total: inout Int
    ) throws -> [AssetVersion] {
        let statement = try database.cachedStatement(
            sql: "SELECT name, tip_id, created FROM version WHERE asset_id = ? ORDER BY name")
        return try statement.records([id]) { row in
            AssetVersion(
                name: try row.value(0), chain: try chain(upTo: row.value(1), of: edits, &total),
                createdDate: try row.value(2))
        }
    }

    /// Returns the edits from the original up to `tip`. Each must be newer than the one below it,
    /// which excludes cycles.
    private func chain(
        upTo tip: Int64, of edits: [Int64: StoredEdit], _ total: inout Int
    ) throws -> [Edit] {
        var chain: [Edit] = []
        var next: Int64? = tip
        while let id = next {
            guard let stored = edits[id], stored.parent ?? 0 < id else {
                throw damage("an edit of a state or version is missing", nil)
            }
            chain.append(stored.edit)
            next = stored.parent
        }
        total += chain.count
        guard total <= StoredValueLimits.edits else { throw damage("it has too many edits", nil) }
        return chain.reversed()
    }

    /// An edit, and the row ID of the edit below it.
    private struct StoredEdit {
        let edit: Edit
        let parent: Int64?
    }

    private func edits(ofAsset id: Int64) throws -> [Int64: StoredEdit] {
        let renditions = try renditions(ofAsset: id)
        let files = try files(ofAsset: id)
        var edits: [Int64: StoredEdit] = [:]
        let statement = try database.cachedStatement(
            sql: """
                SELECT edit.id, edit.parent_id, edit.uuid, parent.uuid, edit.format_identifier,
                    edit.format_version, edit.adjustment_data, edit.created,
                    edit.extension_identifier, edit.extension_version, edit.binary_hash,
                    edit.hashed_files_hash, edit.is_reproducible, edit.covers_motion,
                    edit.is_enabled
                FROM edit LEFT JOIN edit AS parent ON parent.id = edit.parent_id
                WHERE edit.asset_id = ?
                """)
        try statement.forEachRow([id]) { row in
            let id = try row.rowNumber(0)
            edits[id] = StoredEdit(
                edit: try edit(row, renditions: renditions[id] ?? [], files: files[id] ?? []),
                parent: try row.value(1))
        }
        return edits
    }

    private func edit(
        _ row: Row, renditions: [Rendition], files: [EditFile]
    ) throws -> Edit {
        Edit(
            identifier: try row.value(2), parentIdentifier: try row.value(3),
            editingExtension: try editingExtension(row), adjustmentData: try adjustmentData(row),
            files: files, isReproducible: try row.value(12), coversMotion: try row.value(13),
            isEnabled: try row.value(14),
            createdDate: try row.value(7),
            renditions: renditions)
    }

    private func adjustmentData(_ row: Row) throws -> AdjustmentData {
        do {
            return try AdjustmentData(
                formatIdentifier: row.value(4), formatVersion: row.value(5), data: row.value(6)
            ).checked()
        } catch {
            throw damage("a stored recipe cannot be read", error)
        }
    }

    private func editingExtension(_ row: Row) throws -> EditingExtensionIdentity? {
        guard let identifier = try row.value(8, as: String?.self) else { return nil }
        return EditingExtensionIdentity(
            identifier: identifier, version: try row.value(9), binaryHash: try row.value(10),
            hashedFilesHash: try row.value(11))
    }

    private func renditions(ofAsset id: Int64) throws -> [Int64: [Rendition]] {
        var renditions: [Int64: [Rendition]] = [:]
        let statement = try database.cachedStatement(
            sql: """
                SELECT edit_id, kind, key, blob_hash, pixel_width, pixel_height, format,
                    rendition.created, ingredients, part, rendition.duration
                FROM rendition JOIN edit ON edit.id = rendition.edit_id
                WHERE edit.asset_id = ? ORDER BY edit_id, kind, part
                """)
        try statement.forEachRow([id]) { row in
            let rendition = Rendition(
                kind: try row.value(1), part: try row.value(9), key: try row.value(2),
                blob: try row.value(3),
                pixelWidth: try row.value(4, in: StoredValueLimits.pixels),
                pixelHeight: try row.value(5, in: StoredValueLimits.pixels),
                duration: try row.optionalSeconds(10), format: try row.value(6),
                createdDate: try row.value(7), ingredients: try row.value(8))
            try renditions[row.rowNumber(0), default: []].append(rendition)
        }
        return renditions
    }

    private func files(ofAsset id: Int64) throws -> [Int64: [EditFile]] {
        var files: [Int64: [EditFile]] = [:]
        let statement = try database.cachedStatement(
            sql: """
                SELECT edit_id, parameter, filename, hash, size
                FROM edit_file JOIN edit ON edit.id = edit_file.edit_id
                JOIN blob ON hash = blob_hash
                WHERE edit.asset_id = ? ORDER BY edit_id, parameter
                """)
        try statement.forEachRow([id]) { row in
            let file = EditFile(
                parameter: try row.value(1), filename: try row.value(2), hash: try row.value(3),
                size: try row.value(4, in: StoredValueLimits.bytes))
            try files[row.rowNumber(0), default: []].append(file)
        }
        return files
    }

    private func damage(_ detail: String, _ cause: (any Error)?) -> LibraryError {
        LibraryError(
            .damaged, "\(detail); run edithost check", asset: assetIdentifier, underlying: cause)
    }
}
