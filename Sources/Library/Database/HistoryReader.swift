// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

/// Reads what belongs to one asset, inside one transaction.
struct HistoryReader {
    let database: Database
    let assetIdentifier: String

    /// The whole history; throws `noSuchAsset`.
    func history() throws -> AssetHistory {
        let row = try Row.fetchOne(
            database, sql: "SELECT \(Asset.columns), id, position FROM asset WHERE uuid = ?",
            arguments: [assetIdentifier])
        guard let row else { throw LibraryError.noSuchAsset(assetIdentifier) }
        let asset = Asset(row: row)
        let id: Int64 = row["id"]
        return AssetHistory(
            asset: asset, originals: try originals(ofAsset: id),
            states: try states(ofAsset: id), position: row["position"] ?? 0)
    }

    private func originals(ofAsset id: Int64) throws -> [AssetResource] {
        try Row.fetchAll(
            database,
            sql: "\(AssetResource.query) WHERE asset_id = ? ORDER BY is_primary DESC, resource.id",
            arguments: [id]
        ).map(AssetResource.init(row:))
    }

    private func states(ofAsset id: Int64) throws -> [AssetState] {
        let (edits, parents) = try edits(ofAsset: id)
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT position, tip_id, created FROM state WHERE asset_id = ? ORDER BY position",
            arguments: [id])
        return rows.map { row in
            var chain: [Edit] = []
            var next: Int64? = row[1]
            while let id = next, let edit = edits[id], chain.count < edits.count {
                chain.append(edit)
                next = parents[id]
            }
            return AssetState(
                position: row[0], chain: chain.reversed(),
                createdDate: Date(microseconds: row[2]))
        }
    }

    private func edits(ofAsset id: Int64) throws -> ([Int64: Edit], parents: [Int64: Int64]) {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT edit.*, parent.uuid AS parent_uuid FROM edit
                LEFT JOIN edit AS parent ON parent.id = edit.parent_id
                WHERE edit.asset_id = ?
                """,
            arguments: [id])
        let renditions = try renditions(ofAsset: id)
        var edits: [Int64: Edit] = [:]
        var parents: [Int64: Int64] = [:]
        for row in rows {
            let id: Int64 = row["id"]
            parents[id] = row["parent_id"]
            edits[id] = try edit(row, renditions: renditions[id] ?? [])
        }
        return (edits, parents)
    }

    private func edit(_ row: Row, renditions: [Rendition]) throws -> Edit {
        let adjustmentData: AdjustmentData
        do {
            adjustmentData = try AdjustmentData(
                formatIdentifier: row["format_identifier"], formatVersion: row["format_version"],
                data: row["adjustment_data"])
        } catch {
            throw damage("a stored recipe cannot be read", error)
        }
        return Edit(
            identifier: row["uuid"], parentIdentifier: row["parent_uuid"],
            editingExtension: editingExtension(row), adjustmentData: adjustmentData,
            createdDate: Date(microseconds: row["created"]), renditions: renditions)
    }

    private func editingExtension(_ row: Row) -> EditingExtensionIdentity? {
        guard let identifier = row["extension_identifier"] as String?,
            let version = row["extension_version"] as String?,
            let binary = (row["binary_hash"] as String?).flatMap(SHA256Digest.init(hex:))
        else { return nil }
        return EditingExtensionIdentity(
            identifier: identifier, version: version, binaryHash: binary,
            hashedFilesHash: (row["hashed_files_hash"] as String?)
                .flatMap(SHA256Digest.init(hex:)))
    }

    private func renditions(ofAsset id: Int64) throws -> [Int64: [Rendition]] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT edit_id, kind, key, blob_hash, pixel_width, pixel_height, format,
                    rendition.created, ingredients
                FROM rendition JOIN edit ON edit.id = rendition.edit_id
                WHERE edit.asset_id = ? ORDER BY edit_id, kind
                """,
            arguments: [id])
        var renditions: [Int64: [Rendition]] = [:]
        for row in rows {
            guard let kind = Rendition.Kind(rawValue: row[1]), let key = SHA256Digest(hex: row[2]),
                let blob = SHA256Digest(hex: row[3])
            else { throw damage("a rendition's row cannot be read", nil) }
            let rendition = Rendition(
                kind: kind, key: key, blob: blob, pixelWidth: row[4], pixelHeight: row[5],
                format: MediaFormat(rawValue: row[6]) ?? .unknown,
                createdDate: Date(microseconds: row[7]),
                ingredients: row[8])
            renditions[row[0], default: []].append(rendition)
        }
        return renditions
    }

    private func damage(_ detail: String, _ cause: (any Error)?) -> LibraryError {
        LibraryError(
            .damaged, "\(detail); run check", assetIdentifier: assetIdentifier, underlying: cause)
    }
}

extension LibraryError {
    /// There is no asset of this identifier.
    static func noSuchAsset(_ identifier: String) -> LibraryError {
        LibraryError(
            .noSuchAsset, "there is no such asset in the library", assetIdentifier: identifier)
    }
}
