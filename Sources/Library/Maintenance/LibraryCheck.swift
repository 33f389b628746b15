// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB
import Glibc

/// One run of `check`.
struct LibraryCheck {
    let library: PhotoLibrary
    let percent: Double
    let canRender: ([Edit]) -> Bool
    private var report = CheckReport()
    /// Files that are named but cannot be used, with what to say about them.
    private var bad: [(file: ReferencedFile, kind: CheckReport.Kind, detail: String)] = []
    private var store: BlobStore { library.store }

    init(library: PhotoLibrary, percent: Double, canRender: @escaping ([Edit]) -> Bool) {
        self.library = library
        self.percent = percent
        self.canRender = canRender
    }

    mutating func run() throws -> CheckReport {
        guard try checkDatabase() else { return report }
        try checkRecipes()
        for file in try ReferencedFile.all(in: library) { try check(file) }
        try library.forEachReferencedResource { try check($0) }
        try reportBadFiles()
        report.unusedCount = try library.read(Self.unusedCount)
        try checkOrphans()
        try checkLeftovers()
        return report
    }

    private mutating func add(
        _ kind: CheckReport.Kind, _ severity: CheckReport.Severity, isRepairable: Bool,
        _ detail: String, asset: String? = nil, path: String? = nil
    ) {
        report.findings.append(
            CheckReport.Finding(
                kind: kind, severity: severity, isRepairable: isRepairable, detail: detail,
                assetIdentifier: asset, path: path))
    }

    // MARK: - Database

    private mutating func addDamage(_ detail: String) {
        add(
            .databaseDamaged, .damage, isRepairable: false, detail,
            path: library.layout.database)
    }

    /// SQLite's own checks; false where it makes no sense to go on.
    private mutating func checkDatabase() throws -> Bool {
        let answers: [String]
        do {
            answers = try library.read { database in
                try String.fetchAll(database, sql: "PRAGMA integrity_check")
            }
        } catch let error as LibraryError where error.code == .damaged {
            addDamage(error.description)
            return false
        }
        for answer in answers where answer != "ok" { addDamage(answer) }
        if answers != ["ok"] { return false }
        let violations = try library.read { database in
            try Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
        }
        for row in violations {
            let table: String = row[0]
            addDamage("a row of \(table) refers to a row that is not there")
        }
        return true
    }

    /// SQLite notices damage to its pages' structure, not to what is written in them.
    private mutating func checkRecipes() throws {
        let changed = try library.read { database in
            var changed: [(asset: String, edit: String)] = []
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT asset.uuid, edit.uuid, adjustment_data, adjustment_hash
                    FROM edit JOIN asset ON asset.id = asset_id
                    """)
            while let row = try rows.next() {
                let data: Data = row[2]
                if data.recipeHash != row[3] as String? { changed.append((row[0], row[1])) }
            }
            return changed
        }
        for (asset, edit) in changed {
            add(
                .recipeDamaged, .damage, isRepairable: false,
                "the recipe of edit \(edit) is not the one that was stored; make the edit again",
                asset: asset, path: library.layout.database)
        }
    }

    // MARK: - Files

    private mutating func check(_ file: ReferencedFile) throws {
        report.fileCount += 1
        let path = store.layout.blob(file.hash)
        guard let status = try? Folders.status(path), status.isPlainFile else {
            guard try file.isStillReferenced(in: library) else { return }
            return bad.append(
                file.isOriginal
                    ? (file, .originalMissing, "an original is missing; import the same file again")
                    : (file, .renditionMissing, "a rendition is missing"))
        }
        if status.permissions != 0o444 {
            add(
                .wrongMode, .repairable, isRepairable: true, "the file's mode is not 0444",
                asset: file.asset, path: path)
        }
        // What may not be read has not been seen to be damaged.
        guard status.permissions & 0o400 != 0 else { return }
        let kind: CheckReport.Kind = file.isOriginal ? .originalDamaged : .renditionDamaged
        guard status.st_size == file.size else {
            let detail = "the file has \(status.st_size) bytes, not \(file.size)"
            return bad.append((file, kind, detail))
        }
        guard isInSample(file.hash) else { return }
        report.readCount += 1
        if (try? store.holds(file.hash, size: file.size, at: path)) != true {
            bad.append((file, kind, "the file's bytes are not those that were stored"))
        }
    }

    /// Looks after a file outside the library.
    private mutating func check(_ resource: AssetResource) throws {
        guard resource.blob == nil, let hash = resource.contentHash else { return }
        report.fileCount += 1
        let original = ReferencedOriginal(resource)
        let isRead = isInSample(hash)
        if isRead { report.readCount += 1 }
        let (kind, detail): (CheckReport.Kind, String)
        switch (try? original.state(reading: isRead)) ?? .away {
        case .present: return
        case .away:
            kind = .referencedFileAway
            detail = "a file that was referenced is away; bring it back, or import it again"
        case .changed:
            kind = .referencedFileChanged
            detail = "a file that was referenced has changed, or is another one"
        }
        add(
            kind, .notice, isRepairable: false, detail, asset: resource.assetLocalIdentifier,
            path: original.path ?? resource.url)
    }

    private func isInSample(_ hash: SHA256Digest) -> Bool {
        guard percent > 0 else { return false }
        let place = UInt32(hash.hex.suffix(6), radix: 16) ?? 0
        return Double(place) / Double(1 << 24) * 100 < percent
    }

    /// Says of each bad file how bad it is, which depends on what else is bad.
    private mutating func reportBadFiles() throws {
        let hashes = Set(bad.map(\.file.hash))
        for (file, kind, detail) in bad {
            let isRepairable = try !file.isOriginal && canBeMadeAgain(file, without: hashes)
            let advice =
                file.isOriginal
                ? ""
                : isRepairable
                    ? "; it can be made again" : "; it cannot be made again here"
            add(
                kind, isRepairable && !file.isShown ? .repairable : .damage,
                isRepairable: isRepairable, detail + advice, asset: file.asset,
                path: store.layout.blob(file.hash))
        }
    }

    /// Whether each rendition in this file can be rendered from what is there.
    private func canBeMadeAgain(
        _ file: ReferencedFile, without bad: Set<SHA256Digest>
    ) throws -> Bool {
        try library.renditions(inBlob: file.hash).allSatisfy { use in
            let history = try library.history(ofAsset: use.assetIdentifier)
            guard let original = history.original,
                original.blob.map({ !bad.contains($0) }) ?? library.isLocallyAvailable(original)
            else { return false }
            return history.canRender(use.kind, ofEdit: use.editIdentifier, asking: canRender)
        }
    }

    // MARK: - Leftovers

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
        orphans.removeAll {
            known.contains($0.name) || ((try? Folders.status($0.path)) ?? nil) == nil
        }
        for file in orphans {
            add(
                .orphan, .repairable, isRepairable: true, "the library does not know this file",
                path: file.path)
        }
    }

    private mutating func checkLeftovers() throws {
        let staging = try? OpenFile(store.layout.staging, O_RDONLY | O_DIRECTORY)
        _ = try? staging?.lock(exclusively: false, waiting: 2)
        defer { withExtendedLifetime(staging) {} }
        for name in (try? Folders.names(in: store.layout.staging)) ?? [] {
            let folder = store.layout.staging + "/" + name
            guard folder != library.session?.path, StagingSession.isDead(folder) else { continue }
            add(
                .leftover, .repairable, isRepairable: true,
                "an interrupted process left this folder", path: folder)
        }
        let trash = Trash(layout: store.layout)
        report.trashedCount = (try? trash.files().count) ?? 0
        for path in (try? trash.leftovers()) ?? [] {
            add(
                .leftover, .repairable, isRepairable: true, "an interrupted prune left this folder",
                path: path)
        }
    }
}
