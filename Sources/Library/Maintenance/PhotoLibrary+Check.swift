// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import GRDB
import Glibc

extension PhotoLibrary {
    /// Checks the database, and that the stored files match it in name, size and mode. Nothing is
    /// changed.
    ///
    /// A library with a damaged database can be opened for a check with
    /// ``Options/checksAfterUncleanClose`` set to false.
    ///
    /// - Parameters:
    ///   - percent: The percentage of files to read and hash as well, 0...100. The sample is chosen
    ///     evenly by hash.
    ///   - canRender: Whether these edits, in order, can be re-rendered. A bad rendition that
    ///     can be re-rendered and is not displayed is not damage.
    ///   - progress: Called after each stored file with the number of files done and the total. An
    ///     error that it throws ends the check.
    /// - Throws: `LibraryError` if the check itself fails.
    package func check(
        readingDataOf percent: Double = 0, canRender: @escaping ([Edit]) -> Bool = { _ in true },
        progress: @escaping (Int, Int) throws -> Void = { _, _ in }
    ) throws -> CheckReport {
        var check = LibraryCheck(
            library: self, percent: percent, canRender: canRender, progress: progress)
        return try check.run()
    }

    /// Repairs the faults of a report, as far as this needs no rendering.
    ///
    /// Missing files are restored from `trash/`, `quarantine/` or a backup if they are intact
    /// there. Damaged originals, and damaged files that can be reproduced, are moved to `quarantine/` and stay
    /// there. Modes are set, orphans are moved to the trash, and leftovers are removed. An original
    /// is never modified. Renditions that are still missing must be re-rendered.
    ///
    /// - Parameter backupPath: The folder of a backup or of another library; nil for none.
    /// - Returns: The outcome for each finding of the report, in order.
    /// - Throws: `LibraryError` with `busy` during concurrent changes to the library. With
    ///   `damaged` if the database is damaged, or `notALibrary` if there is no backup in the folder;
    ///   then nothing is repaired.
    package func repair(
        _ report: CheckReport, fromBackupAt backupPath: String? = nil
    ) throws -> [RepairAction] {
        _ = try writer()
        let backup = try backupPath.map(Self.backupFiles)
        guard !report.findings.contains(where: { $0.kind == .databaseDamaged }) else {
            throw LibraryError(
                .damaged, "the database is damaged, so nothing was repaired", path: path)
        }
        let lock = try LibraryLock.exclusive(root)
        defer { withExtendedLifetime(lock) {} }
        do {
            return try LibraryRepair(library: self, backup: backup).run(report)
        } catch let error as SystemError {
            throw LibraryError.writing(path, error)
        }
    }

    /// Throws an error if a folder is neither a backup nor a library.
    ///
    /// - Throws: `LibraryError` with `notALibrary` or `cannotRead`.
    package static func requireBackup(at path: String) throws { _ = try backupFiles(path) }

    private static func backupFiles(_ path: String) throws -> BlobStore {
        do {
            let root = try Folder(root: path)
            guard try root.folderIfPresent(LibraryName.blobs) != nil else {
                throw LibraryError(
                    .notALibrary, "the folder is neither a backup nor a library", path: path)
            }
            return BlobStore(root: root)
        } catch let error as SystemError {
            throw LibraryError.reading(path, error)
        }
    }
}

extension PhotoLibrary {
    /// Checks the library in a folder, as ``check(readingDataOf:canRender:progress:)`` does, even
    /// if it is too damaged to be opened. The reason is then a finding.
    ///
    /// - Throws: `LibraryError` with `notALibrary` if there is none; `newerSchema`; `readOnly` for
    ///   an intact library of an older version; `busy`; `unsupportedFileSystem`; `cannotRead` or
    ///   `cannotWrite` if permissions are missing.
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

    /// Runs SQLite's checks on a database that must be migrated before it can be read. Returns nil
    /// if they pass.
    private static func checkOlder(_ layout: LibraryLayout) throws -> CheckReport? {
        let files: DatabaseFiles
        do {
            files = try DatabaseFiles(of: Folder(root: layout.root))
        } catch let error as SystemError {
            throw LibraryError.reading(layout.root, error)
        }
        try files.requireOwn(isReadOnly: true)
        var configuration = Configuration()
        configuration.readonly = true
        configuration.prepareDatabase { database in
            try files.requireOpened(by: database)
            try UntrustedDatabaseSettings.apply(to: database)
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
