// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

/// The `resource` table: the originals and companion files of assets.
struct ResourceTable {
    let assets: AssetTable

    private var context: ChangeContext { assets.context }
    private var database: Database { context.database }

    /// Returns the original with this hash; nil if no asset has it.
    func original(with hash: SHA256Digest) throws -> AssetResource? {
        try database.record(
            "\(AssetResource.query) WHERE \(AssetResource.isOriginalOfHash)",
            ["hash": hash.hex], AssetResource.init(row:))
    }

    /// Relocates a missing referenced original, after the same bytes were supplied from elsewhere.
    func relocate(_ existing: AssetResource, with resource: NewResource) throws {
        guard existing.blob == nil, ReferencedOriginal(existing).stateByStatus != .present else {
            return
        }
        let identifier = existing.assetLocalIdentifier
        let id = try assets.row(of: identifier)
        if let blob = resource.blob { try context.insertBlob(blob) }
        try database.execute(
            sql: """
                UPDATE resource SET blob_hash = ?, url = ?, content_hash = ?, content_size = ?,
                    content_date = ? WHERE asset_id = ? AND url = ?
                """,
            arguments: [
                resource.blob?.hash.hex, resource.url, resource.reference?.hash.hex,
                resource.reference?.size, resource.reference?.date, id, existing.url,
            ])
        assets.record(.updated, id, identifier, isContent: false)
    }

    /// Stores the new hash, size and date of a referenced original in which metadata was changed.
    func replaceReference(
        _ new: AssetChangeRequest.NewReference, ofAsset identifier: String
    ) throws {
        let id = try assets.row(of: identifier)
        let reference = new.reference
        let existing = try original(with: reference.hash)
        // Another process may have stored it.
        if existing?.assetLocalIdentifier == identifier { return }
        let isReplaced =
            try existing == nil
            && context.changesOneRow(
                """
                UPDATE resource SET content_hash = ?, content_size = ?, content_date = ?
                WHERE asset_id = ? AND is_primary = 1 AND blob_hash IS NULL AND url = ?
                    AND content_hash = ?
                """,
                [
                    reference.hash.hex, reference.size, reference.date, id, reference.url,
                    new.original.hex,
                ])
        guard isReplaced else {
            throw LibraryError(
                .conflict, "its original was replaced in the meantime; try again",
                asset: identifier)
        }
        try assets.touch(id, identifier)
    }

    /// Adds the companions that an asset does not have yet.
    func addCompanions(_ resources: [NewResource], to identifier: String) throws {
        if resources.isEmpty { return }
        let id = try assets.row(of: identifier)
        for resource in resources {
            if let existing = try companion(like: resource, ofAsset: id) {
                try relocate(existing, with: resource)
                continue
            }
            try insert(resource, isPrimary: false, asset: id)
            let isLive = resource.type == .pairedVideo
            try database.execute(
                sql: """
                    UPDATE asset SET media_subtypes = media_subtypes | ?,
                        modification_date = max(?, modification_date + 1)
                    WHERE id = ?
                    """,
                arguments: [
                    isLive ? MediaSubtype.photoLive.rawValue : 0, context.date.microseconds, id,
                ])
            assets.record(.updated, id, identifier, isContent: false)
        }
    }

    /// Stores sidecars, and removes all but the last of each filename.
    func replaceSidecars(
        _ sidecars: [RereadMetadata.NewSidecar], ofAsset id: Int64, _ identifier: String
    ) throws {
        let type = AssetResourceType.metadataSidecar
        var isChanged = false
        for sidecar in sidecars {
            let last = try database.value(
                """
                SELECT coalesce(blob_hash, content_hash, '') FROM resource
                WHERE asset_id = ? AND type = ? AND filename = ? AND is_primary = 0
                ORDER BY id DESC LIMIT 1
                """,
                [id, type.rawValue, sidecar.filename], as: String.self)
            if last == sidecar.blob.hash.hex { continue }
            let resource = try NewResource(
                type, blob: sidecar.blob, filename: sidecar.filename, facts: nil)
            try insert(resource, isPrimary: false, asset: id)
            isChanged = true
        }
        try database.execute(
            sql: """
                DELETE FROM resource
                WHERE asset_id = :id AND type = :type AND is_primary = 0 AND EXISTS (
                    SELECT 1 FROM resource AS newer
                    WHERE newer.asset_id = :id AND newer.type = :type AND newer.is_primary = 0
                        AND newer.filename = resource.filename AND newer.id > resource.id)
                """,
            arguments: ["id": id, "type": type.rawValue])
        if isChanged || database.changesCount > 0 { try assets.touch(id, identifier) }
    }

    private func companion(
        like resource: NewResource, ofAsset id: Int64
    ) throws -> AssetResource? {
        try database.record(
            """
            \(AssetResource.query)
            WHERE asset_id = :id AND type = :type AND is_primary = 0
                AND (blob_hash = :hash OR content_hash = :hash)
            """,
            ["id": id, "type": resource.type.rawValue, "hash": resource.hash?.hex],
            AssetResource.init(row:))
    }

    /// Inserts the row of a file that belongs to an asset.
    func insert(_ resource: NewResource, isPrimary: Bool, asset: Int64) throws {
        try StoredValueLimits.requireStorable(resource.filename, "the file's name")
        try StoredValueLimits.requireStorable(resource.url, "the file's address")
        if let blob = resource.blob { try context.insertBlob(blob) }
        let facts = try resource.facts.map {
            String(decoding: try JSONEncoder().encode($0), as: UTF8.self)
        }
        try context.execute(
            """
            INSERT INTO resource
                (asset_id, type, is_primary, blob_hash, url, content_hash, content_size,
                content_date, filename, format, facts)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                asset, resource.type.rawValue, isPrimary, resource.blob?.hash.hex,
                resource.url, resource.reference?.hash.hex, resource.reference?.size,
                resource.reference?.date, resource.filename, resource.format.rawValue, facts,
            ])
    }
}
