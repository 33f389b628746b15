// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB
import Glibc

/// One run of `prune`, under the exclusive lock: rows first, then files.
struct Pruning {
    let layout: LibraryLayout
    let keep: Int
    let date: Date?
    private var report = PruneReport()

    init(layout: LibraryLayout, keep: Int, date: Date?) {
        self.layout = layout
        self.keep = keep
        self.date = date
    }

    mutating func run(
        _ database: Database, canRender: ([Edit]) -> Bool
    ) throws -> PruneReport {
        let answer = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
        guard answer == "ok" else {
            throw LibraryError(
                .damaged, "the database is damaged, so nothing was removed; run check",
                path: layout.database)
        }
        let before = try BlobInventory.hashesInDatabase(database)
        try database.inTransaction(.immediate) {
            try forgetRenditions(database, canRender: canRender)
            try database.execute(
                sql: """
                    DELETE FROM blob WHERE hash NOT IN (SELECT blob_hash FROM rendition)
                    AND hash NOT IN (
                        SELECT blob_hash FROM resource WHERE blob_hash IS NOT NULL)
                    """)
            return .commit
        }
        let after = try BlobInventory.hashesInDatabase(database)
        do {
            try removeFiles(before: before, after: after)
        } catch let error as SystemError {
            throw LibraryError.writing(layout.blobs, error)
        }
        return report
    }

    private mutating func forgetRenditions(
        _ database: Database, canRender: ([Edit]) -> Bool
    ) throws {
        let candidates = try Row.fetchAll(
            database,
            sql: """
                SELECT asset.uuid, edit.uuid, rendition.created FROM rendition
                JOIN edit ON edit.id = edit_id JOIN asset ON asset.id = edit.asset_id
                WHERE kind = 'current' AND NOT EXISTS (
                    SELECT 1 FROM state WHERE state.asset_id = asset.id
                    AND state.position = asset.position AND tip_id = edit.id)
                ORDER BY asset.id, rendition.created DESC, edit.id DESC
                """)
        for (asset, rows) in Dictionary(grouping: candidates, by: { $0[0] as String }) {
            let old = rows.dropFirst(keep).filter { isOldEnough($0[2]) }
            if old.isEmpty { continue }
            let history = try HistoryReader(database: database, assetIdentifier: asset).history()
            for row in old where isRenderable(row[1], in: history, canRender: canRender) {
                try database.execute(
                    sql: """
                        DELETE FROM rendition WHERE kind = 'current'
                        AND edit_id = (SELECT id FROM edit WHERE uuid = ?)
                        """,
                    arguments: [row[1] as String])
                report.renditionCount += database.changesCount
            }
        }
    }

    private func isOldEnough(_ created: Int64) -> Bool {
        date.map { created < $0.microseconds } ?? true
    }

    /// Whether what was rendered for an edit can be rendered from what is stored below it.
    private func isRenderable(
        _ edit: String, in history: AssetHistory, canRender: ([Edit]) -> Bool
    ) -> Bool {
        let chain = history.states.map(\.chain).first { $0.contains { $0.identifier == edit } }
        guard let chain, let end = chain.firstIndex(where: { $0.identifier == edit }) else {
            return false
        }
        let upToEdit = chain[...end]
        let base = upToEdit.lastIndex { $0.base != nil }
        let steps = Array(upToEdit[(base.map { $0 + 1 } ?? 0)...])
        return steps.allSatisfy { $0.editingExtension != nil } && canRender(steps)
    }

    /// Moves what is not known (any more) out of `blobs/`, makes that durable, then removes it.
    private mutating func removeFiles(before: Set<String>, after: Set<String>) throws {
        var garbage: [BlobInventory.File] = []
        var unknown: [BlobInventory.File] = []
        for file in try BlobInventory.files(in: layout) where !after.contains(file.name) {
            if before.contains(file.name) { garbage.append(file) } else { unknown.append(file) }
        }
        // Leftovers of crashes are few. Many unknown files mean that the database is not theirs.
        if unknown.count > 100, unknown.count > after.count {
            report.suspectCount = unknown.count
        } else {
            garbage += unknown
        }
        try Folders.makeIfNeeded(layout.trash)
        for file in garbage {
            report.fileCount += 1
            report.byteCount += Int(try Folders.status(file.path)?.st_size ?? 0)
            guard rename(file.path, layout.trash + "/" + file.name) == 0 else {
                throw SystemError("rename")
            }
        }
        for shard in Set(garbage.map(\.shard)) { try Folders.synchronize(shard) }
        try Folders.removeTree(layout.trash)
        try Folders.synchronize(layout.root)
    }
}
