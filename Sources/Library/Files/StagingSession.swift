// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import Glibc
import Synchronization

/// The private folder of an open library under `staging/`, removed with the last reference.
///
/// Its `lock` file is locked for the lifetime of the session, which distinguishes a live session
/// from a dead one. Sessions are created, and dead ones removed, under a lock on `staging/` itself,
/// so a folder is never visible before its lock is held. Only folders and files with names that
/// sessions use are considered or removed.
final class StagingSession: Sendable {
    /// The name of the session, a UUID.
    let identifier: String
    /// The session's folder under `staging/`.
    let folder: Folder
    /// The number of dead sessions' folders found on creation. It is not 0 after an unclean close.
    let deadSessionCount: Int
    /// The library's folder.
    private let root: Folder
    private let lock: OpenFile
    /// The first error of ``synchronizeFileSystem()``.
    private let syncFailure = Mutex<SystemError?>(nil)

    /// Creates a session and counts the dead ones.
    init(in root: Folder) throws {
        identifier = UUID().uuidString.lowercased()
        self.root = root
        do {
            try root.makeFolderIfNeeded(LibraryName.staging)
            let staging = try Self.hold(root)
            defer { withExtendedLifetime(staging) {} }
            deadSessionCount = try Self.deadSessions(in: staging).count
            folder = try staging.makeFolder(identifier, mode: 0o700)
            lock = try folder.makeFile(LibraryName.lock, mode: 0o600)
            _ = try lock.lock(exclusively: true, waiting: 0)
        } catch let error as SystemError {
            throw LibraryError.writing(root.layout.staging, error)
        }
    }

    deinit { end() }

    /// Removes the session's folder, after which staging fails. Deinitialization is not sufficient:
    /// another thread may hold the last reference, and an exiting program does not wait for it.
    func end() {
        guard let staging = try? root.folder(LibraryName.staging) else { return }
        try? Self.remove(folder, named: identifier, from: staging)
    }

    /// Creates an unnamed file in the session's folder. It is removed with its last descriptor.
    func makeUnnamedFile() throws -> OpenFile {
        let name = UUID().uuidString.lowercased()
        do {
            let file = try folder.makeFile(name, mode: 0o600)
            try folder.removeFile(name)
            return file
        } catch {
            throw LibraryError.writing(folder.path + "/" + name, error)
        }
    }

    /// Writes all files of the library's file system to the disk.
    ///
    /// The kernel reports a failed write only once for each open folder, but it may concern any
    /// file of the session. After a failure, every later call throws the same error.
    func synchronizeFileSystem() throws(SystemError) {
        let failure = syncFailure.withLock { failure -> SystemError? in
            if failure == nil {
                do throws(SystemError) {
                    try folder.synchronizeFileSystem()
                } catch {
                    failure = error
                }
            }
            return failure
        }
        if let failure { throw failure }
    }

    /// Removes the folders that dead processes left behind.
    func removeDeadSessions() throws {
        do {
            let staging = try Self.hold(root)
            defer { withExtendedLifetime(staging) {} }
            for name in try Self.deadSessions(in: staging) {
                guard let folder = try staging.folderIfPresent(name) else { continue }
                try Self.remove(folder, named: name, from: staging)
            }
        } catch let error as SystemError {
            throw LibraryError.writing(root.layout.staging, error)
        }
    }

    /// Removes the session's files, and then its folder if it is empty.
    private static func remove(
        _ folder: Folder, named name: String, from staging: Folder
    ) throws(SystemError) {
        for entry in try folder.entries() where isOurs(entry) {
            try folder.removeFile(entry.name)
        }
        try staging.removeFolderIfEmpty(name)
    }

    private static func isOurs(_ entry: Folder.Entry) -> Bool {
        entry.kind != .folder && LibraryName.isInSession(entry.name)
    }

    /// Opens and locks `staging/`.
    private static func hold(_ root: Folder) throws -> Folder {
        let staging = try root.folder(LibraryName.staging)
        guard try staging.lock(exclusively: true, waiting: 10) else {
            throw LibraryError(
                .busy,
                "another process is opening the library; try again", path: staging.path)
        }
        return staging
    }

    /// Returns the names of the dead sessions. The caller must hold the lock on `staging/`: a
    /// folder without a lock file may be in creation.
    static func deadSessions(in staging: Folder) throws(SystemError) -> [String] {
        var dead: [String] = []
        for entry in try staging.entries()
        where entry.kind == .folder && LibraryName.isSession(entry.name) {
            if let folder = try staging.folderIfPresent(entry.name), try isDead(folder) {
                dead.append(entry.name)
            }
        }
        return dead
    }

    /// Whether the session with this folder has ended without removing it.
    static func isDead(_ folder: Folder) throws(SystemError) -> Bool {
        do {
            return try folder.file(LibraryName.lock, O_RDONLY).lock(exclusively: true, waiting: 0)
        } catch {
            guard error.number == ENOENT else {
                if error.misplaced != nil { throw error }
                return false
            }
            // A folder that has only foreign files left was already removed as far as possible.
            let entries = try folder.entries()
            return entries.isEmpty || entries.contains(where: isOurs)
        }
    }
}
