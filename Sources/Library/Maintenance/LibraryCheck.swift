// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import GRDB
import Glibc

/// A single run of `check`.
struct LibraryCheck {
    let library: PhotoLibrary
    let percent: Double
    let canRender: ([Edit]) -> Bool
    /// Called after each stored file with the number of files done and the total. An error that it
    /// throws ends the check.
    let progress: (Int, Int) throws -> Void
    var report = CheckReport()
    /// The files that rows refer to but cannot be used, with the kind and description of the fault.
    private var bad: [(file: ReferencedBlob, kind: CheckReport.Kind, detail: String)] = []
    var store: BlobStore { library.store }
    /// The names of files that only snapshots of a backup refer to; nil if a snapshot cannot be read.
    var filesOfSnapshots: Set<String>? = []
    /// The last shard folder that was opened. Files are visited in the order of their hashes.
    private var shard: (name: String, folder: Folder?)?

    init(
        library: PhotoLibrary, percent: Double, canRender: @escaping ([Edit]) -> Bool,
        progress: @escaping (Int, Int) throws -> Void
    ) {
        self.library = library
        self.percent = percent
        self.canRender = canRender
        self.progress = progress
    }

    mutating func run() throws -> CheckReport {
        let library = library
        var database = DatabaseCheck { try library.read($0) }
        let isReadable = database.checkStructure()
        if isReadable { database.checkRows() }
        for finding in database.findings { report.add(finding, of: library.layout) }
        guard isReadable else { return report }
        try noting { check in
            let files = try ReferencedBlob.all(in: library)
            for (index, file) in files.enumerated() {
                try check.check(file)
                try check.progress(index + 1, files.count)
            }
        }
        try noting { check in try library.forEachReferencedResource { try check.check($0) } }
        try noting { try $0.reportBadFiles() }
        try noting { $0.report.unusedCount = try library.read(Self.unusedCount) }
        try noting { try $0.checkSnapshots() }
        try noting { try $0.checkOrphans() }
        try checkLeftovers()
        return report
    }

    /// Runs a part of the check. Damage that ends it is recorded as a finding, unless it is one
    /// already.
    private mutating func noting(_ part: (inout LibraryCheck) throws -> Void) throws {
        do {
            try part(&self)
        } catch let error as LibraryError {
            guard let damage = CheckReport(damage: error, of: library.layout) else { throw error }
            let known = Set(report.findings.map(\.detail))
            report.findings += damage.findings.filter { !known.contains($0.detail) }
        }
    }

    mutating func add(
        _ kind: CheckReport.Kind, _ severity: CheckReport.Severity, isRepairable: Bool,
        _ detail: String, asset: String? = nil, path: String? = nil
    ) {
        report.findings.append(
            CheckReport.Finding(
                kind: kind, severity: severity, isRepairable: isRepairable, detail: detail,
                assetIdentifier: asset, path: path))
    }

    // MARK: - Files

    private mutating func check(_ file: ReferencedBlob) throws {
        report.fileCount += 1
        let path = store.path(of: file.hash)
        guard let status = status(of: file.hash) else {
            guard try file.isStillReferenced(in: library) else { return }
            return bad.append(file.missing)
        }
        let kind: CheckReport.Kind =
            file.isOriginal
            ? .originalDamaged : file.isEditFile ? .editFileDamaged : .renditionDamaged
        guard status.isPlainFile else {
            let detail = "this is \(FileKind(status).rawValue), not a regular file"
            return bad.append((file, kind, detail))
        }
        if status.permissions != 0o444 {
            add(
                .wrongMode, .repairable, isRepairable: true, "the file's mode is not 0444",
                asset: file.asset, path: path)
        }
        // A file that cannot be read was not found to be damaged.
        guard status.permissions & 0o400 != 0 else { return }
        guard status.st_size == file.size else {
            let detail = "the file has \(status.st_size) bytes, not \(file.size)"
            return bad.append((file, kind, detail))
        }
        guard file.hash.isInSample(ofPercent: percent) else { return }
        report.readCount += 1
        if try !store.isIntact(file.hash, size: file.size) {
            bad.append((file, kind, "the file does not match its hash"))
        }
    }

    /// Returns the status of a stored file, or nil if the file or its folder is missing.
    mutating func status(of hash: SHA256Digest) -> stat? {
        let name = BlobStore.shardName(of: hash)
        if shard?.name != name { shard = (name, try? store.shard(of: hash)) }
        return try? shard?.folder?.status(hash.hex)
    }

    /// Checks a referenced file.
    private mutating func check(_ resource: AssetResource) throws {
        guard resource.blob == nil, let hash = resource.contentHash else { return }
        report.fileCount += 1
        let original = ReferencedOriginal(resource)
        let isRead = hash.isInSample(ofPercent: percent)
        if isRead { report.readCount += 1 }
        let (kind, detail): (CheckReport.Kind, String)
        switch try state(of: original, reading: isRead) {
        case .present: return
        case .away:
            kind = .referencedFileAway
            detail = "a referenced file is missing; restore it, or import it again"
        case .changed:
            kind = .referencedFileChanged
            detail =
                "a referenced file was changed or replaced; restore it or, if only its metadata "
                + "was changed, run edithost import --reference on it"
        }
        add(
            kind, .notice, isRepairable: false, detail, asset: resource.assetLocalIdentifier,
            path: original.path ?? resource.url)
    }

    private func state(
        of original: ReferencedOriginal, reading: Bool
    ) throws -> ReferencedOriginal.State {
        do {
            return try original.state(reading: reading)
        } catch let error as CancellationError {
            throw error
        } catch {
            return .away
        }
    }

    /// Reports bad files with their severity, which depends on the other bad files.
    private mutating func reportBadFiles() throws {
        let hashes = Set(bad.map(\.file.hash))
        for (file, kind, detail) in bad {
            let isUnique = file.isOriginal || file.isEditFile
            let isRepairable = try !isUnique && canBeMadeAgain(file, without: hashes)
            let advice =
                isUnique
                ? ""
                : isRepairable
                    ? "; it can be rendered again" : "; it cannot be rendered again here"
            add(
                kind, isRepairable && !file.isShown ? .repairable : .damage,
                isRepairable: isRepairable, detail + advice, asset: file.asset,
                path: store.path(of: file.hash))
        }
    }

    /// Whether every rendition in this file can be re-rendered from intact files.
    private func canBeMadeAgain(
        _ file: ReferencedBlob, without bad: Set<SHA256Digest>
    ) throws -> Bool {
        try library.renditions(inBlob: file.hash).allSatisfy { use in
            let whole = try library.history(ofAsset: use.assetIdentifier)
            let history = whole.history(of: use.part)
            guard let original = history.original,
                original.file.blob.map({ !bad.contains($0) })
                    ?? library.isLocallyAvailable(original)
            else { return false }
            return history.canRender(use.kind, ofEdit: use.editIdentifier, asking: canRender)
        }
    }

    // MARK: - Leftovers

    /// Returns the number of unused files in the database.
    static func unusedCount(_ database: Database) throws -> Int {
        try database.value("SELECT count(*) \(BlobInventory.unusedRows)") ?? 0
    }

    private mutating func checkOrphans() throws {
        var known = try library.read(BlobInventory.hashesInDatabase)
        let inventory = try BlobInventory(of: library.root)
        // An entry with the name of a known file was already checked as that file.
        for stray in inventory.strays where !known.contains(stray.name) {
            addStray(stray, as: .orphan)
        }
        var orphans = inventory.files.filter {
            !known.contains($0.name) && filesOfSnapshots?.contains($0.name) == false
        }
        if orphans.isEmpty { return }
        // Their rows may not be committed yet. Acquiring the lock waits for changes in flight.
        _ = try? LibraryLock.exclusive(library.root)
        known = try library.read(BlobInventory.hashesInDatabase)
        orphans.removeAll { known.contains($0.name) }
        for file in orphans {
            guard let hash = SHA256Digest(hex: file.name), status(of: hash) != nil else { continue }
            add(
                .orphan, .repairable, isRepairable: true,
                "unused file; check --repair moves it to the folder trash",
                path: file.path)
        }
    }

    /// Reports a foreign entry.
    private mutating func addStray(_ stray: BlobInventory.Stray, as kind: CheckReport.Kind) {
        guard !stray.kind.isForeign else {
            return add(
                .misplaced, .damage, isRepairable: false,
                "this is \(stray.kind.rawValue), which never belongs in a library; it was not "
                    + "touched",
                path: stray.path)
        }
        add(
            kind, .repairable, isRepairable: false,
            "not created by edithost, and not touched; remove it if you do not need it",
            path: stray.path)
    }

    private mutating func checkLeftovers() throws {
        try? checkStaging(library.root.folder(LibraryName.staging))
        let trash = UnusedFilesFolder(root: library.root)
        report.trashedCount = (try? trash.files().count) ?? 0
        if let path = (try? trash.leftover()) ?? nil {
            add(
                .leftover, .repairable, isRepairable: true, "an interrupted prune left this folder",
                path: path)
        }
        for stray in (try? trash.strays()) ?? [] { addStray(stray, as: .leftover) }
    }

    private mutating func checkStaging(_ staging: Folder) throws {
        _ = try? staging.lock(exclusively: false, waiting: 2)
        defer { withExtendedLifetime(staging) {} }
        for entry in try staging.entries() where entry.name != library.session?.identifier {
            let path = staging.path + "/" + entry.name
            guard entry.kind == .folder, LibraryName.isSession(entry.name) else {
                let stray = BlobInventory.Stray(name: entry.name, kind: entry.kind, path: path)
                addStray(stray, as: .leftover)
                continue
            }
            guard let folder = try staging.folderIfPresent(entry.name) else { continue }
            try checkSession(folder)
        }
    }

    private mutating func checkSession(_ session: Folder) throws {
        for entry in try session.entries() {
            let path = session.path + "/" + entry.name
            let stray = BlobInventory.Stray(name: entry.name, kind: entry.kind, path: path)
            if entry.kind != .regularFile || !LibraryName.isInSession(entry.name) {
                addStray(stray, as: .leftover)
            }
        }
        guard (try? StagingSession.isDead(session)) == true else { return }
        add(
            .leftover, .notice, isRepairable: true,
            "an interrupted process left this folder; the next command that changes the library "
                + "removes it", path: session.path)
    }
}

extension ReferencedBlob {
    /// The finding for the file if it is missing.
    fileprivate var missing: (file: ReferencedBlob, kind: CheckReport.Kind, detail: String) {
        if isOriginal {
            return (self, .originalMissing, "an original is missing; import the same file again")
        }
        return isEditFile
            ? (self, .editFileMissing, "a file used by a parameter of an edit is missing")
            : (self, .renditionMissing, "a rendition is missing")
    }
}
