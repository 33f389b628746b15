// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import GRDB
import Glibc

/// A single run of `prune`, under the exclusive lock. Rows are deleted before files.
struct Pruning {
    let store: BlobStore
    /// The author of the changes, for the history.
    let author: ChangeAuthor
    let keep: Int
    let date: Date?
    let emptiesTrash: Bool
    var report = PruneReport()
    /// The age up to which changes stay in the history, in seconds: 90 days.
    private static let historyAge = 90.0 * 86400

    /// The library's folder.
    private var root: Folder { store.root }

    init(store: BlobStore, author: ChangeAuthor, keep: Int, date: Date?, emptiesTrash: Bool) {
        self.store = store
        self.author = author
        self.keep = keep
        self.date = date
        self.emptiesTrash = emptiesTrash
    }

    mutating func run(
        _ database: Database, canRender: ([Edit]) -> Bool
    ) throws -> PruneReport {
        let answer: String? = try database.value("PRAGMA quick_check(1)")
        guard answer == "ok" else {
            throw LibraryError(
                .damaged, "the database is damaged, so nothing was removed; run edithost check",
                path: root.layout.database)
        }
        do {
            // The trash comes first, because emptying it needs no space.
            let emptied = try UnusedFilesFolder(root: root).empty(
                all: emptiesTrash, known: BlobInventory.hashesInDatabase(database))
            report.fileCount += emptied.count
            report.byteCount += emptied.bytes
            var (forgotten, discarded): (Set<String>, Set<String>) = ([], [])
            try database.inTransaction(.immediate) {
                try removeTrashedAssets(database)
                forgotten = try forgetRenditions(database, canRender: canRender)
                discarded = Set(try database.values("SELECT hash \(BlobInventory.unusedRows)"))
                try database.execute(sql: "DELETE \(BlobInventory.unusedRows)")
                let old = Date().addingTimeInterval(-Self.historyAge)
                _ = try PhotoLibrary.forgetChanges(before: old, database)
                return .commit
            }
            try removeFiles(database, forgotten: forgotten, discarded: discarded)
        } catch let error as SystemError {
            throw LibraryError.writing(root.layout.blobs, error)
        }
        return report
    }

    /// Deletes the rows of renditions, and returns the names of their files.
    private mutating func forgetRenditions(
        _ database: Database, canRender: ([Edit]) -> Bool
    ) throws -> Set<String> {
        var forgotten: Set<String> = []
        for (asset, all) in Dictionary(grouping: try candidates(database), by: \.asset) {
            // An edit of a Live Photo has two renditions, which count as one.
            var kept: Set<String> = []
            let old = all.filter { rendition in
                if kept.count < keep { kept.insert(rendition.edit) }
                return !kept.contains(rendition.edit) && isOldEnough(rendition.created)
            }
            if old.isEmpty { continue }
            let whole = try HistoryReader(database: database, assetIdentifier: asset).history()
            for rendition in old {
                let history = whole.history(of: rendition.part)
                // Without the original, a rendition cannot be re-rendered.
                let hasOriginal =
                    (history.original?.file).map {
                        $0.blob != nil || ReferencedOriginal($0).stateByStatus == .present
                    } ?? false
                guard
                    history.canRender(
                        .current, ofEdit: rendition.edit, hasOriginal: hasOriginal,
                        asking: canRender)
                else { continue }
                try database.execute(
                    sql: """
                        DELETE FROM rendition WHERE kind = 'current' AND part = ?
                        AND edit_id = (SELECT id FROM edit WHERE uuid = ?)
                        """,
                    arguments: [rendition.part.rawValue, rendition.edit])
                report.renditionCount += database.changesCount
                forgotten.insert(rendition.blob.hex)
            }
        }
        return forgotten
    }

    /// A rendition that is not current and belongs to no version.
    private struct Candidate {
        let asset: String
        let edit: String
        let part: Rendition.Part
        let created: Int64
        let blob: SHA256Digest
    }

    /// Returns the renditions that could be removed, the newest of each asset first.
    private func candidates(_ database: Database) throws -> [Candidate] {
        try database.records(
            """
            SELECT asset.uuid, edit.uuid, rendition.created, blob_hash, part FROM rendition
            JOIN edit ON edit.id = edit_id JOIN asset ON asset.id = edit.asset_id
            WHERE kind = 'current' AND NOT EXISTS (
                SELECT 1 FROM state WHERE state.asset_id = asset.id
                AND state.position = asset.position AND tip_id = edit.id)
            AND NOT EXISTS (
                SELECT 1 FROM version WHERE version.asset_id = asset.id AND tip_id = edit.id)
            ORDER BY asset.id, rendition.created DESC, edit.id DESC
            """
        ) { row in
            Candidate(
                asset: try row.value(0), edit: try row.value(1), part: try row.value(4),
                created: try row.value(2), blob: try row.value(3))
        }
    }

    private func isOldEnough(_ created: Int64) -> Bool {
        date.map { created < $0.microseconds } ?? true
    }

    /// Removes the files of deleted renditions. Moves other unused files, such as those of
    /// discarded edits, to the trash.
    private mutating func removeFiles(
        _ database: Database, forgotten: Set<String>, discarded: Set<String>
    ) throws {
        let known = try BlobInventory.hashesInDatabase(database)
        let unused = try BlobInventory(of: root).files.filter { !known.contains($0.name) }
        let garbage = unused.filter { forgotten.contains($0.name) }
        let trash = UnusedFilesFolder(root: root)
        report.fileCount += garbage.count
        report.byteCount += try bytes(of: garbage)
        try trash.remove(garbage)
        var rest = unused.filter { !forgotten.contains($0.name) }
        let unknown = rest.filter { !discarded.contains($0.name) }
        if BlobInventory.areSuspicious(unknown.count, knownCount: known.count) {
            report.suspectCount = unknown.count
            rest.removeAll { !discarded.contains($0.name) }
        }
        report.trashedCount = rest.count
        try trash.keep(rest)
        guard emptiesTrash, report.suspectCount == 0 else { return }
        let emptied = try trash.empty(all: true, known: known)
        report.fileCount += emptied.count
        report.byteCount += emptied.bytes
    }

    private func bytes(of files: [BlobInventory.File]) throws -> Int {
        let blobs = try root.folder(LibraryName.blobs)
        return try Dictionary(grouping: files, by: \.folder).reduce(0) { sum, group in
            let shard = try blobs.folder(group.key)
            return try group.value.reduce(sum) {
                try $0 + Int(shard.status($1.name)?.st_size ?? 0)
            }
        }
    }
}
