// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB
import Glibc

/// One run of `prune`, under the exclusive lock: rows first, then files.
struct Pruning {
    let layout: LibraryLayout
    let keep: Int
    let date: Date?
    let emptiesTrash: Bool
    private var report = PruneReport()
    /// Changes are kept in the history for 90 days, in seconds.
    private static let historyAge = 90.0 * 86400

    init(layout: LibraryLayout, keep: Int, date: Date?, emptiesTrash: Bool) {
        self.layout = layout
        self.keep = keep
        self.date = date
        self.emptiesTrash = emptiesTrash
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
        do {
            // First, because it needs no space.
            let emptied = try Trash(layout: layout).empty(
                all: emptiesTrash, known: BlobInventory.hashesInDatabase(database))
            report.fileCount += emptied.count
            report.byteCount += emptied.bytes
            var forgotten: Set<String> = []
            try database.inTransaction(.immediate) {
                forgotten = try forgetRenditions(database, canRender: canRender)
                try database.execute(
                    sql: """
                        DELETE FROM blob WHERE hash NOT IN (SELECT blob_hash FROM rendition)
                        AND hash NOT IN (
                            SELECT blob_hash FROM resource WHERE blob_hash IS NOT NULL)
                        """)
                let old = Date().addingTimeInterval(-Self.historyAge)
                _ = try PhotoLibrary.forgetChanges(before: old, database)
                return .commit
            }
            let known = try BlobInventory.hashesInDatabase(database)
            try removeFiles(known: known, forgotten: forgotten)
        } catch let error as SystemError {
            throw LibraryError.writing(layout.blobs, error)
        }
        return report
    }

    /// Forgets renditions; gives their files.
    private mutating func forgetRenditions(
        _ database: Database, canRender: ([Edit]) -> Bool
    ) throws -> Set<String> {
        let candidates = try Row.fetchAll(
            database,
            sql: """
                SELECT asset.uuid, edit.uuid, rendition.created, blob_hash FROM rendition
                JOIN edit ON edit.id = edit_id JOIN asset ON asset.id = edit.asset_id
                WHERE kind = 'current' AND NOT EXISTS (
                    SELECT 1 FROM state WHERE state.asset_id = asset.id
                    AND state.position = asset.position AND tip_id = edit.id)
                ORDER BY asset.id, rendition.created DESC, edit.id DESC
                """)
        var forgotten: Set<String> = []
        for (asset, rows) in Dictionary(grouping: candidates, by: { $0[0] as String }) {
            let old = rows.dropFirst(keep).filter { isOldEnough($0[2]) }
            if old.isEmpty { continue }
            let history = try HistoryReader(database: database, assetIdentifier: asset).history()
            // What is drawn from a file that is away cannot be drawn again.
            let hasOriginal =
                history.original.map {
                    $0.blob != nil || ReferencedOriginal($0).stateByStatus == .present
                } ?? false
            for row in old
            where history.canRender(
                .current, ofEdit: row[1], hasOriginal: hasOriginal, asking: canRender)
            {
                try database.execute(
                    sql: """
                        DELETE FROM rendition WHERE kind = 'current'
                        AND edit_id = (SELECT id FROM edit WHERE uuid = ?)
                        """,
                    arguments: [row[1] as String])
                report.renditionCount += database.changesCount
                forgotten.insert(row[3])
            }
        }
        return forgotten
    }

    private func isOldEnough(_ created: Int64) -> Bool {
        date.map { created < $0.microseconds } ?? true
    }

    /// Removes the files of forgotten renditions, and takes others that are not known to the trash.
    private mutating func removeFiles(known: Set<String>, forgotten: Set<String>) throws {
        var garbage: [BlobInventory.File] = []
        var unknown: [BlobInventory.File] = []
        for file in try BlobInventory.files(in: layout) where !known.contains(file.name) {
            if forgotten.contains(file.name) { garbage.append(file) } else { unknown.append(file) }
        }
        let trash = Trash(layout: layout)
        report.fileCount += garbage.count
        report.byteCount += try garbage.reduce(0) { try $0 + size($1) }
        try trash.remove(garbage)
        // Leftovers of crashes are few. Many unknown files mean that the database is not theirs.
        if unknown.count > 100, unknown.count > known.count {
            report.suspectCount = unknown.count
            return
        }
        report.trashedCount = unknown.count
        try trash.keep(unknown)
        guard emptiesTrash else { return }
        let emptied = try trash.empty(all: true, known: known)
        report.fileCount += emptied.count
        report.byteCount += emptied.bytes
    }

    private func size(_ file: BlobInventory.File) throws -> Int {
        Int(try Folders.status(file.path)?.st_size ?? 0)
    }
}
