// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import GRDB
import Glibc

/// What a backup copied, or what was restored from one.
public struct BackupReport: Sendable {
    /// How many files were copied.
    public internal(set) var copiedFileCount = 0
    /// How many bytes they have.
    public internal(set) var copiedByteCount = 0
    /// How many files were there already.
    public internal(set) var presentFileCount = 0
    /// How many were removed, because nothing needs them any more.
    public internal(set) var removedFileCount = 0
    /// How many originals lie elsewhere, and are not in it.
    public internal(set) var referencedOriginalCount = 0
    /// The library's files that are missing or damaged, so that they could not be copied.
    public internal(set) var failures: [LibraryError] = []
}

/// Copies a library's files and its database into another folder, in an order in which what was there stays whole until
/// all of the new is.
struct LibraryCopying {
    /// Where from.
    let source: PhotoLibrary
    /// The folder.
    let target: Folder
    /// The folder's staging session.
    private let session: StagingSession
    private let store: BlobStore
    /// How many files are made durable at a time.
    private static let batchSize = 64

    /// - Throws: `LibraryError` with `cannotWrite`, `busy`.
    init(_ source: PhotoLibrary, to target: Folder) throws {
        self.source = source
        self.target = target
        session = try StagingSession(in: target)
        try session.removeDeadSessions()
        store = BlobStore(root: target)
    }

    /// Copies all.
    ///
    /// - Parameters:
    ///   - mode: that of the database's file.
    ///   - progress: told after each file how many of how many there are; what it throws ends the copying.
    /// - Throws: `LibraryError`; what was there before is whole then.
    func run(
        databaseMode mode: mode_t, progress: (Int, Int) throws -> Void
    ) throws -> BackupReport {
        defer { session.end() }
        return try translatingDatabaseErrors(path: target.path) {
            let database = try DatabaseCopy(of: source.pool, in: session)
            let wanted = try database.read { database in
                try database.records("SELECT hash, size FROM blob ORDER BY hash") { row in
                    (try row.value(0, as: SHA256Digest.self), try row.value(1, as: Int.self))
                }
            }
            var report = BackupReport()
            report.referencedOriginalCount =
                try database.read {
                    try $0.value("SELECT count(*) FROM resource WHERE blob_hash IS NULL")
                } ?? 0
            try copy(wanted, &report, progress)
            do throws(SystemError) {
                try database.keep(as: LibraryName.database, in: target, mode: mode)
            } catch {
                throw LibraryError.writing(target.layout.database, error)
            }
            try remove(butFor: Set(wanted.map(\.0.hex)), &report)
            return report
        }
    }

    private func copy(
        _ wanted: [(hash: SHA256Digest, size: Int)], _ report: inout BackupReport,
        _ progress: (Int, Int) throws -> Void
    ) throws {
        var staged: [StagedBlob] = []
        for (index, (hash, size)) in wanted.enumerated() {
            if try isPresent(hash, size) {
                report.presentFileCount += 1
            } else {
                do {
                    staged.append(try stage(hash, size))
                    report.copiedFileCount += 1
                    report.copiedByteCount += size
                } catch let error as LibraryError where error.code != .cannotWrite {
                    report.failures.append(error)
                }
            }
            if staged.count >= Self.batchSize {
                try store.publish(staged)
                staged = []
            }
            try progress(index + 1, wanted.count)
        }
        try store.publish(staged)
    }

    private func isPresent(_ hash: SHA256Digest, _ size: Int) throws -> Bool {
        do {
            guard let status = try store.status(of: hash) else { return false }
            return status.isPlainFile && Int(status.st_size) == size
        } catch {
            throw LibraryError.reading(store.path(of: hash), error)
        }
    }

    /// Copies one file, which has to be what its name says.
    private func stage(_ hash: SHA256Digest, _ size: Int) throws -> StagedBlob {
        let file = try source.store.open(hash, assetIdentifier: nil)
        let blob = try store.stage(file, expectedSize: size, in: session)
        guard blob.hash == hash else {
            throw LibraryError(
                .damaged, "a file is not what was stored; run edithost check",
                path: source.store.path(of: hash))
        }
        return blob
    }

    /// Removes the files that the database does not name.
    private func remove(butFor names: Set<String>, _ report: inout BackupReport) throws {
        for file in try BlobInventory(of: target).files where !names.contains(file.name) {
            do {
                try target.folder(LibraryName.blobs).folder(file.folder).removeFile(file.name)
            } catch {
                throw LibraryError.writing(file.path, error)
            }
            report.removedFileCount += 1
        }
    }
}
