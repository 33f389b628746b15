// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB
import Glibc

/// One run of `check`.
struct LibraryCheck {
    let library: PhotoLibrary
    let percent: Double
    private var report = CheckReport()
    private var store: BlobStore { library.store }

    /// A file that rows name.
    private struct Reference {
        let hash: SHA256Digest
        let size: Int
        let asset: String
        let isOriginal: Bool
    }

    init(library: PhotoLibrary, percent: Double) {
        self.library = library
        self.percent = percent
    }

    mutating func run() throws -> CheckReport {
        guard try checkDatabase() else { return report }
        for reference in try references() { try check(reference) }
        report.unusedCount = try library.read(Self.unusedCount)
        try checkOrphans()
        try checkLeftovers()
        return report
    }

    /// SQLite's own checks; false where it makes no sense to go on.
    private mutating func checkDatabase() throws -> Bool {
        let answers: [String]
        do {
            answers = try library.read { database in
                try String.fetchAll(database, sql: "PRAGMA integrity_check")
            }
        } catch let error as LibraryError where error.code == .damaged {
            report.add(.databaseDamaged, error.description, path: library.layout.database)
            return false
        }
        for answer in answers where answer != "ok" {
            report.add(.databaseDamaged, answer, path: library.layout.database)
        }
        if answers != ["ok"] { return false }
        let violations = try library.read { database in
            try Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
        }
        for row in violations {
            let table: String = row[0]
            report.add(
                .databaseDamaged, "a row of \(table) refers to a row that is not there",
                path: library.layout.database)
        }
        return true
    }

    /// Every file that a row names, once, with the asset it belongs to.
    private func references() throws -> [Reference] {
        let rows = try library.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT hash, size, min(uuid), max(is_original) FROM (
                        SELECT blob_hash AS hash, uuid, 1 AS is_original
                        FROM resource JOIN asset ON asset.id = asset_id
                        WHERE blob_hash IS NOT NULL
                        UNION ALL
                        SELECT blob_hash, asset.uuid, 0
                        FROM rendition JOIN edit ON edit.id = edit_id
                        JOIN asset ON asset.id = asset_id)
                    JOIN blob USING (hash) GROUP BY hash ORDER BY hash
                    """)
        }
        return rows.compactMap { row in
            SHA256Digest(hex: row[0]).map {
                Reference(hash: $0, size: row[1], asset: row[2], isOriginal: row[3])
            }
        }
    }

    private mutating func check(_ reference: Reference) throws {
        report.fileCount += 1
        let path = store.layout.blob(reference.hash)
        let asset = reference.asset
        guard let status = try? Folders.status(path), status.isPlainFile else {
            guard try isReferenced(reference.hash) else { return }
            let kind: CheckReport.Kind =
                reference.isOriginal ? .originalMissing : .renditionMissing
            let problem =
                reference.isOriginal
                ? "an original is missing; import the same file again"
                : "a rendition is missing; rerender makes the current one again"
            return report.add(kind, problem, asset: asset, path: path)
        }
        if status.permissions != 0o444 {
            report.add(.wrongMode, "the file's mode is not 0444", asset: asset, path: path)
        }
        guard status.st_size == reference.size else {
            return report.add(
                .wrongSize, "the file has \(status.st_size) bytes, not \(reference.size)",
                asset: asset, path: path)
        }
        guard isInSample(reference.hash) else { return }
        report.readCount += 1
        if (try? store.holds(reference.hash, size: reference.size, at: path)) != true {
            report.add(
                .wrongContent, "the file's bytes are not those that were stored", asset: asset,
                path: path)
        }
    }

    /// A file may have been pruned, after its row, since the rows were read.
    private func isReferenced(_ hash: SHA256Digest) throws -> Bool {
        try library.read { database in
            try Bool.fetchOne(
                database,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM resource WHERE blob_hash = :hash)
                        OR EXISTS (SELECT 1 FROM rendition WHERE blob_hash = :hash)
                    """,
                arguments: ["hash": hash.hex]) ?? false
        }
    }

    private func isInSample(_ hash: SHA256Digest) -> Bool {
        guard percent > 0 else { return false }
        let place = UInt32(hash.hex.suffix(6), radix: 16) ?? 0
        return Double(place) / Double(1 << 24) * 100 < percent
    }

    /// How many files' rows nothing refers to.
    static func unusedCount(_ database: Database) throws -> Int {
        try Int.fetchOne(
            database,
            sql: """
                SELECT count(*) FROM blob
                WHERE hash NOT IN (SELECT blob_hash FROM rendition)
                AND hash NOT IN (
                    SELECT blob_hash FROM resource WHERE blob_hash IS NOT NULL)
                """) ?? 0
    }

    private mutating func checkOrphans() throws {
        var known = try library.read(BlobInventory.hashesInDatabase)
        var orphans = try BlobInventory.files(in: store.layout).filter { !known.contains($0.name) }
        if orphans.isEmpty { return }
        // Their rows may be about to be written: wait until running changes have ended.
        _ = try? LibraryLock(store.layout, exclusively: true, waiting: 2)
        known = try library.read(BlobInventory.hashesInDatabase)
        orphans.removeAll { known.contains($0.name) }
        for file in orphans {
            report.add(.orphan, "the library does not know this file", path: file.path)
        }
    }

    private mutating func checkLeftovers() throws {
        let staging = try? OpenFile(store.layout.staging, O_RDONLY | O_DIRECTORY)
        _ = try? staging?.lock(exclusively: false, waiting: 2)
        defer { withExtendedLifetime(staging) {} }
        for name in (try? Folders.names(in: store.layout.staging)) ?? [] {
            let folder = store.layout.staging + "/" + name
            guard folder != library.session?.path, StagingSession.isDead(folder) else { continue }
            report.add(.leftover, "an interrupted process left this folder", path: folder)
        }
        for name in (try? Folders.names(in: store.layout.trash)) ?? [] {
            report.add(
                .leftover, "an interrupted prune left this file",
                path: store.layout.trash + "/" + name)
        }
    }
}
