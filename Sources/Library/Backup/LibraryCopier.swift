// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import GRDB
import Glibc

/// Copies a library's files and database into another folder. The order of steps keeps the previous
/// contents intact until the new ones are complete.
/// See docs/design/decisions/0034-backups.md.
struct LibraryCopier {
    /// The library to copy.
    let source: PhotoLibrary
    /// The destination folder.
    let target: Folder
    /// The staging session in the destination folder.
    private let session: StagingSession
    private let store: BlobStore
    private var snapshots: SnapshotFolder { SnapshotFolder(root: target) }
    /// The maximum number of files, and of bytes, made durable in one batch.
    private static let batch = (count: 64, bytes: 1 << 30)

    /// The kind of copy to make.
    enum Purpose {
        /// A backup that replaces the last one. Files with these hashes are copied even if present.
        case backup(replacing: Set<SHA256Digest>)
        /// A new library in a folder without one.
        case restoration
    }

    /// - Throws: `LibraryError` with `cannotWrite`, `busy`.
    init(_ source: PhotoLibrary, to target: Folder) throws {
        self.source = source
        self.target = target
        session = try StagingSession(in: target)
        try session.removeDeadSessions()
        store = BlobStore(root: target)
    }

    /// Copies all files, then the database.
    ///
    /// - Parameters:
    ///   - purpose: The kind of copy to make.
    ///   - acceptsOthers: Whether a folder without a database may contain files that the library
    ///     lacks, because an earlier copy of the library to it was interrupted.
    ///   - progress: Called after each file with the number of files processed and the total. An
    ///     error it throws ends the copy.
    /// - Throws: `LibraryError`, and any error thrown by `progress`. The previous contents are then
    ///   still intact.
    func run(
        _ purpose: Purpose, acceptingOthers acceptsOthers: Bool,
        progress: (Int, Int) throws -> Void
    ) throws -> BackupReport {
        defer { session.end() }
        return try translatingDatabaseErrors(path: target.path) {
            let date = Date()
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
            let names = Set(wanted.map(\.0.hex))
            if !acceptsOthers { try requireNoOthers(than: names) }
            switch purpose {
            case .backup(let replaced):
                try copy(wanted, replacing: replaced, &report, progress)
                try synchronizeFiles()
                if try snapshots.isLastBackup(database) {
                    // Copying damaged files again makes no further snapshot.
                    if replaced.isEmpty { try snapshots.keepLastBackup(takenAt: date) }
                } else {
                    try snapshots.keep(database, takenAt: date)
                    try keep(database, mode: 0o444, replacing: true)
                }
                try removeUnused(but: names, &report)
            case .restoration:
                try copy(wanted, replacing: [], &report, progress)
                if acceptsOthers { try trashUnused(but: names, &report) }
                try synchronizeFiles()
                try keep(database, mode: 0o644, replacing: false)
            }
            return report
        }
    }

    /// Rejects a folder that has files but no database: they may be the remains of a library.
    private func requireNoOthers(than names: Set<String>) throws {
        do {
            guard try target.status(LibraryName.database) == nil else { return }
        } catch {
            throw LibraryError.writing(target.layout.database, error)
        }
        guard let other = try snapshots.unusedFiles(keeping: names).first else { return }
        throw LibraryError(
            .alreadyExists,
            "the folder has no database but contains files that would be removed, such as "
                + "\(other.path); choose another folder",
            path: target.path)
    }

    /// Makes all files durable, before a database refers to them.
    private func synchronizeFiles() throws {
        do throws(SystemError) {
            // A killed copy may have left directory entries that are not durable yet.
            let blobs = try target.folder(LibraryName.blobs)
            for name in try blobs.names() where LibraryName.isShard(name) {
                try blobs.folder(name).synchronize()
            }
            try blobs.synchronize()
            // SQLite would apply a leftover log to the new database.
            for name in [LibraryName.log, LibraryName.journal, LibraryName.sharedMemory] {
                try target.removeFile(name)
            }
            try target.synchronize()
        } catch {
            throw LibraryError.writing(target.layout.database, error)
        }
    }

    /// Gives the copy of the database its name.
    private func keep(_ database: DatabaseCopy, mode: mode_t, replacing: Bool) throws {
        do {
            try database.keep(
                as: LibraryName.database, in: target, mode: mode, replacing: replacing)
        } catch {
            throw LibraryError.writing(target.layout.database, error)
        }
    }

    private func copy(
        _ wanted: [(hash: SHA256Digest, size: Int)], replacing: Set<SHA256Digest>,
        _ report: inout BackupReport, _ progress: (Int, Int) throws -> Void
    ) throws {
        var staged: [StagedBlob] = []
        for (index, (hash, size)) in wanted.enumerated() {
            if try !replacing.contains(hash) && isPresent(hash, size) {
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
            if staged.count >= Self.batch.count
                || staged.reduce(0, { $0 + $1.size }) >= Self.batch.bytes
            {
                try store.publish(staged)
                staged = []
            }
            do {
                try progress(index + 1, wanted.count)
            } catch {
                // Keeps the files copied so far for the next attempt.
                try store.publish(staged)
                throw error
            }
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

    /// Stages one file and verifies its hash.
    private func stage(_ hash: SHA256Digest, _ size: Int) throws -> StagedBlob {
        let file = try source.store.open(hash, assetIdentifier: nil)
        let blob = try store.stage(file, expectedSize: size, in: session)
        guard blob.hash == hash else {
            throw LibraryError(
                .damaged, "a file does not match its hash; run edithost check",
                path: source.store.path(of: hash))
        }
        return blob
    }

    /// Moves the files that only an interrupted restore of another state needed to the trash. This precedes the
    /// database, so that it is also done if the restore is interrupted again.
    private func trashUnused(but names: Set<String>, _ report: inout BackupReport) throws {
        let unused = try BlobInventory(of: target).files.filter { !names.contains($0.name) }
        do {
            try UnusedFilesFolder(root: target).keep(unused)
        } catch {
            throw LibraryError.writing(target.layout.trash, error)
        }
        report.removedFileCount += unused.count
    }

    /// Removes the files that neither the database nor a snapshot references.
    private func removeUnused(but names: Set<String>, _ report: inout BackupReport) throws {
        do {
            let unused = try snapshots.unusedFiles(keeping: names)
            try snapshots.remove(unused)
            report.removedFileCount += unused.count
        } catch let error as LibraryError where error.code != .cannotWrite {
            // A snapshot that cannot be read may need any of the files.
            report.unreadableSnapshot = error
        }
    }
}
