// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

/// Replaces the stored facts of originals after they were decoded again.
struct FactsWriter {
    let assets: AssetTable

    private var context: ChangeContext { assets.context }

    /// Stores the facts of an asset's original, if the request has any.
    func write(_ found: AssetChangeRequest.FoundFacts?, of identifier: String) throws {
        guard let found else { return }
        let facts = found.facts
        let id = try assets.row(of: identifier)
        let text = String(decoding: try JSONEncoder().encode(facts), as: UTF8.self)
        let isOfOriginal = try context.changesOneRow(
            """
            UPDATE resource SET facts = ?
            WHERE asset_id = ? AND is_primary = 1 AND ? IN (blob_hash, content_hash)
            """,
            [text, id, found.original.hex])
        guard isOfOriginal else {
            throw LibraryError(
                .conflict, "the original was replaced in the meantime; try again",
                asset: identifier)
        }
        try assets.update(
            id,
            [
                "media_subtypes": try subtypes(facts, ofAsset: id),
                "original_pixel_width": facts.pixelWidth,
                "original_pixel_height": facts.pixelHeight,
                "original_duration": facts.video?.duration ?? 0,
                "camera_make": facts.metadata?.cameraMake,
                "camera_model": facts.metadata?.cameraModel,
                "lens_model": facts.metadata?.lensModel,
                "exposure_time": facts.metadata?.exposureTime,
                "content_identifier": facts.metadata?.contentIdentifier,
            ], of: identifier)
        try assets.touch(id, identifier)
        guard try isUnedited(id) else { return }
        try assets.update(
            id,
            [
                "pixel_width": facts.pixelWidth, "pixel_height": facts.pixelHeight,
                "duration": facts.video?.duration ?? 0,
            ], of: identifier)
    }

    /// Stores the facts of a Live Photo's video, if the request has any.
    func write(motion found: AssetChangeRequest.FoundFacts?, of identifier: String) throws {
        guard let found else { return }
        let id = try assets.row(of: identifier)
        let text = String(decoding: try JSONEncoder().encode(found.facts), as: UTF8.self)
        let isOfVideo = try context.changesOneRow(
            """
            UPDATE resource SET facts = ?
            WHERE asset_id = ? AND type = ? AND ? IN (blob_hash, content_hash)
            """,
            [text, id, AssetResourceType.pairedVideo.rawValue, found.original.hex])
        guard isOfVideo else {
            throw LibraryError(
                .conflict, "the video was replaced in the meantime; try again",
                asset: identifier)
        }
        try assets.touch(id, identifier)
    }

    private func subtypes(_ facts: PhotoFacts, ofAsset id: Int64) throws -> Int {
        let isLive = try context.database.value(
            "SELECT EXISTS (SELECT 1 FROM resource WHERE asset_id = ? AND type = ?)",
            [id, AssetResourceType.pairedVideo.rawValue], as: Bool.self)
        return facts.mediaSubtypes.union(isLive == true ? .photoLive : []).rawValue
    }

    private func isUnedited(_ id: Int64) throws -> Bool {
        try context.database.value(
            "SELECT position IS NULL FROM asset WHERE id = ?", [id], as: Bool.self) ?? true
    }
}
