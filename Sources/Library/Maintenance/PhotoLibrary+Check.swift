// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import GRDB
import Glibc

extension PhotoLibrary {
    /// Checks the database, that every file it names is there with its size and mode, and that
    /// there are no others. Nothing is changed.
    ///
    /// A library whose database is damaged can be checked when it is opened with
    /// ``Options/checksAfterUncleanClose`` false.
    ///
    /// - Parameters:
    ///   - percent: How many of the files, evenly chosen by their hash, to read and hash as
    ///     well, 0...100.
    ///   - canRender: Whether these edits, in their order, can be run again: a rendition that can
    ///     be made again, and that nobody sees now, is no damage.
    ///   - progress: told after each stored file how many of how many there are; what it throws ends the check.
    /// - Throws: `LibraryError` where the check itself cannot be done.
    package func check(
        readingDataOf percent: Double = 0, canRender: @escaping ([Edit]) -> Bool = { _ in true },
        progress: @escaping (Int, Int) throws -> Void = { _, _ in }
    ) throws -> CheckReport {
        var check = LibraryCheck(
            library: self, percent: percent, canRender: canRender, progress: progress)
        return try check.run()
    }

    /// Repairs what a check has found, as far as this needs no pixels.
    ///
    /// Files that are missing come back from `trash/` or `quarantine/` where they lie there
    /// whole; damaged files that can be had again, and damaged originals, are set aside in
    /// `quarantine/`, where nobody touches them; modes are set; orphans go to the trash; leftovers
    /// are removed. An original is never changed. Renditions that are missing afterwards have
    /// to be rendered.
    ///
    /// - Returns: What was done about each of the report's findings, in their order.
    /// - Throws: `LibraryError`: `busy` while others change the library; `damaged` where its
    ///   database is: then nothing is done.
    package func repair(_ report: CheckReport) throws -> [RepairAction] {
        _ = try writer()
        guard !report.findings.contains(where: { $0.kind == .databaseDamaged }) else {
            throw LibraryError(
                .damaged, "the database is damaged, so nothing was repaired", path: path)
        }
        let lock = try LibraryLock.exclusive(root)
        defer { withExtendedLifetime(lock) {} }
        do {
            return try LibraryRepair(library: self).run(report)
        } catch let error as SystemError {
            throw LibraryError.writing(path, error)
        }
    }
}

extension PhotoLibrary {
    /// Checks the library in a folder, as ``check(readingDataOf:canRender:progress:)`` does, however damaged
    /// it is: what keeps it from being opened is a finding.
    ///
    /// - Throws: `LibraryError`: `notALibrary` where there is none; `newerSchema`, `readOnly` for a
    ///   whole library of an older version, `busy`, `unsupportedFileSystem`; `cannotRead` and
    ///   `cannotWrite` for want of permission.
    package static func check(
        at path: String, readingDataOf percent: Double = 0,
        canRender: @escaping ([Edit]) -> Bool = { _ in true },
        progress: @escaping (Int, Int) throws -> Void = { _, _ in }
    ) throws -> CheckReport {
        var options = Options()
        options.isReadOnly = true
        options.checksAfterUncleanClose = false
        do {
            let library = try open(at: path, options: options)
            defer { try? library.close() }
            return try library.check(
                readingDataOf: percent, canRender: canRender, progress: progress)
        } catch let error as LibraryError {
            let layout = LibraryLayout(root: path)
            if error.code == .readOnly, let report = try checkOlder(layout) { return report }
            guard let report = CheckReport(damage: error, of: layout) else { throw error }
            return report
        }
    }

    /// What SQLite finds in a database that has to be brought up to date before it can be read; nil
    /// where that is nothing.
    private static func checkOlder(_ layout: LibraryLayout) throws -> CheckReport? {
        let files: DatabaseFiles
        do {
            files = DatabaseFiles(root: try Folder(root: layout.root))
        } catch {
            throw LibraryError.reading(layout.root, error)
        }
        try files.requireOwn(isReadOnly: true)
        var configuration = Configuration()
        configuration.readonly = true
        configuration.prepareDatabase { database in
            try files.requireOpened(by: database)
            try ConnectionSettings.apply(to: database)
        }
        let queue = try translatingDatabaseErrors(path: layout.root) {
            try DatabaseQueue(path: layout.database, configuration: configuration)
        }
        defer { try? queue.close() }
        var check = DatabaseCheck { part in
            try translatingDatabaseErrors(path: layout.root) { try queue.read(part) }
        }
        _ = check.checkStructure()
        var report = CheckReport()
        for finding in check.findings { report.add(finding, of: layout) }
        return report.findings.isEmpty ? nil : report
    }
}

extension CheckReport {
    /// What kept a library from being opened, as a finding; nil where that is no fault of the library.
    init?(damage error: LibraryError, of layout: LibraryLayout) {
        guard error.isDamage || (error.code == .notALibrary && layout.looksLikeLibrary) else {
            return nil
        }
        self.init()
        findings.append(
            Finding(
                kind: error.code == .invalidLayout ? .misplaced : .databaseDamaged,
                severity: .damage, isRepairable: false,
                detail: error.message + (error.underlying.map { ": \($0)" } ?? ""),
                assetIdentifier: error.assetIdentifier, path: error.path ?? layout.database))
    }

    /// Adds what is wrong with the database.
    mutating func add(_ finding: DatabaseCheck.Finding, of layout: LibraryLayout) {
        findings.append(
            Finding(
                kind: finding.kind, severity: .damage, isRepairable: false, detail: finding.detail,
                assetIdentifier: finding.asset, path: layout.database))
    }
}

extension LibraryError {
    /// Whether the library's own files are why; and not its version, its place, who else uses it, or
    /// who asks.
    var isDamage: Bool {
        switch code {
        case .notALibrary, .alreadyExists, .newerSchema, .unsupportedFileSystem, .busy, .conflict,
            .readOnly, .notAuthorized, .noSuchAsset:
            false
        case .cannotRead, .cannotWrite: isBrokenFile
        default: true
        }
    }

    /// Whether a file is of a wrong kind, or its disk is broken.
    private var isBrokenFile: Bool {
        if let error = underlying as? SystemError {
            return [EIO, ELOOP, ENOTDIR, EISDIR, ENXIO, EINVAL].contains(error.number)
        }
        // The others are of a disk that is full, or of who may write.
        let ofReading: [ResultCode] = [
            .SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ, .SQLITE_IOERR_CORRUPTFS,
            .SQLITE_IOERR_DATA,
        ]
        return (underlying as? DatabaseError).map { ofReading.contains($0.extendedResultCode) }
            ?? false
    }
}

extension LibraryLayout {
    /// Whether what makes a folder a library is there, whatever has become of it.
    fileprivate var looksLikeLibrary: Bool {
        [database, blobs].allSatisfy { path in
            var status = stat()
            return lstat(path, &status) == 0
        }
    }
}
