// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// This opening's own folder under `staging/`, removed when the last reference goes.
///
/// Its `lock` file is held for as long as the session lives, so that others can tell a dead
/// session's folder from a living one's. Sessions are made and dead ones removed under a lock
/// on `staging/` itself: nobody ever sees a folder whose lock is not yet held.
final class StagingSession: Sendable {
    /// The session's name, a UUID.
    let identifier: String
    /// The folder.
    let path: String
    /// How many dead sessions' folders were found: not 0 after an unclean close.
    let deadSessionCount: Int
    private let staging: String
    private let lock: OpenFile

    /// Makes a new session and counts the dead ones.
    init(in layout: LibraryLayout) throws {
        identifier = UUID().uuidString.lowercased()
        path = layout.staging + "/" + identifier
        staging = layout.staging
        do {
            try Folders.makeIfNeeded(staging)
            let hold = try Self.hold(staging)
            defer { withExtendedLifetime(hold) {} }
            deadSessionCount = try Self.deadSessions(in: staging).count
            try Folders.make(path, mode: 0o700)
            lock = try OpenFile(path + "/lock", O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
            _ = try lock.lock(exclusively: true, waiting: 0)
        } catch let error as SystemError {
            throw LibraryError.writing(path, error)
        }
    }

    deinit { try? Folders.removeTree(path) }

    /// Whether the session in this folder has ended without removing it. Ask only while
    /// holding a lock on `staging/`: a folder without a lock file may be in the making.
    static func isDead(_ folder: String) -> Bool {
        do {
            let lock = try OpenFile(folder + "/lock", O_RDONLY)
            return try lock.lock(exclusively: true, waiting: 0)
        } catch {
            return error.number == ENOENT || error.number == ENOTDIR
        }
    }

    /// Removes what processes that have died left behind.
    func removeDeadSessions() throws {
        do {
            let hold = try Self.hold(staging)
            defer { withExtendedLifetime(hold) {} }
            for folder in try Self.deadSessions(in: staging) { try Folders.removeTree(folder) }
        } catch let error as SystemError {
            throw LibraryError.writing(staging, error)
        }
    }

    /// The lock on `staging/` itself.
    private static func hold(_ staging: String) throws -> OpenFile {
        let folder = try OpenFile(staging, O_RDONLY | O_DIRECTORY)
        guard try folder.lock(exclusively: true, waiting: 10) else {
            throw LibraryError(.busy, "the library is being opened; try again", path: staging)
        }
        return folder
    }

    private static func deadSessions(in staging: String) throws(SystemError) -> [String] {
        try Folders.names(in: staging).map { staging + "/" + $0 }.filter(isDead)
    }
}
