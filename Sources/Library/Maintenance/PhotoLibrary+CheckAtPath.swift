// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB
import Glibc

extension PhotoLibrary {
    /// Checks the library in a folder, as ``check(readingDataOf:canRender:)`` does, however damaged
    /// it is: what keeps it from being opened is a finding.
    ///
    /// - Throws: `LibraryError`: `notALibrary` where there is none; `newerSchema`, `readOnly` for a
    ///   whole library of an older version, `busy`, `unsupportedFileSystem`; `cannotRead` and
    ///   `cannotWrite` for want of permission.
    public static func check(
        at path: String, readingDataOf percent: Double = 0,
        canRender: @escaping ([Edit]) -> Bool = { _ in true }
    ) throws -> CheckReport {
        var options = Options()
        options.isReadOnly = true
        options.checksAfterUncleanClose = false
        do {
            let library = try open(at: path, options: options)
            defer { try? library.close() }
            return try library.check(readingDataOf: percent, canRender: canRender)
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
                detail: error.detail + (error.underlying.map { ": \($0)" } ?? ""),
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
        return (underlying as? DatabaseError)?.resultCode == .SQLITE_IOERR
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
