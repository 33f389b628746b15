// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import Glibc

/// Bytes that have been copied into the library's staging folder and hashed, ready to be
/// committed by a change request. No row names them yet.
///
/// Nobody else can change them: they are a private copy. What is not committed is removed when
/// the last reference goes. One staged blob may be used by several requests and tried again
/// after a failed change.
package final class StagedBlob: Sendable {
    /// The SHA-256 of the bytes.
    package let hash: SHA256Digest
    /// How many bytes there are.
    package let size: Int
    /// The copy's name in the session's folder.
    let name: String
    let session: StagingSession

    /// Where the copy lies, for messages; ``open()`` opens it.
    package var path: String { session.folder.path + "/" + name }

    init(hash: SHA256Digest, size: Int, name: String, session: StagingSession) {
        self.hash = hash
        self.size = size
        self.name = name
        self.session = session
    }

    deinit { try? session.folder.removeFile(name) }

    /// Opens the copy for reading, with an offset of its own.
    ///
    /// - Throws: `LibraryError` with `cannotRead`.
    package func open() throws -> OpenFile {
        do {
            return try session.folder.file(name, O_RDONLY)
        } catch {
            throw LibraryError.reading(path, error)
        }
    }
}

/// This opening's own folder under `staging/`, removed when the last reference goes.
///
/// Its `lock` file is held for as long as the session lives, so that others can tell a dead
/// session's folder from a living one's. Sessions are made and dead ones removed under a lock
/// on `staging/` itself: nobody ever sees a folder whose lock is not yet held. Only folders are taken
/// for sessions that are named like one, and only files are removed that are named as ours are.
final class StagingSession: Sendable {
    /// The session's name, a UUID.
    let identifier: String
    /// The folder.
    let folder: Folder
    /// How many dead sessions' folders were found: not 0 after an unclean close.
    let deadSessionCount: Int
    /// The library's folder.
    private let root: Folder
    private let lock: OpenFile

    /// Makes a new session and counts the dead ones.
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

    /// Removes the session's folder; nothing can be staged any more. The last reference may be another
    /// thread's, which a program that ends does not wait for.
    func end() {
        guard let staging = try? root.folder(LibraryName.staging) else { return }
        try? Self.remove(folder, named: identifier, from: staging)
    }

    /// Removes what processes that have died left behind.
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

    /// Removes our files from a session's folder, and the folder unless there is something else in it.
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

    /// `staging/`, locked.
    private static func hold(_ root: Folder) throws -> Folder {
        let staging = try root.folder(LibraryName.staging)
        guard try staging.lock(exclusively: true, waiting: 10) else {
            throw LibraryError(
                .busy,
                "another process is opening the library; try again", path: staging.path)
        }
        return staging
    }

    /// The names of the sessions that have ended without removing their folders. Ask only while
    /// holding a lock on `staging/`: a folder without a lock file may be in the making.
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
            // Where only others' files are left, it has been removed as far as it can be.
            let entries = try folder.entries()
            return entries.isEmpty || entries.contains(where: isOurs)
        }
    }
}
