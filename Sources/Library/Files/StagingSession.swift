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
    /// How many dead sessions' folders were found and removed: not 0 after an unclean close.
    let deadSessionCount: Int
    private let lock: OpenFile

    /// Removes dead sessions and makes a new one.
    init(in layout: LibraryLayout) throws {
        identifier = UUID().uuidString.lowercased()
        path = layout.staging + "/" + identifier
        do {
            try Folders.makeIfNeeded(layout.staging)
            let staging = try OpenFile(layout.staging, O_RDONLY | O_DIRECTORY)
            guard try staging.lock(exclusively: true, waiting: 10) else {
                throw LibraryError(.busy, "the library is being opened; try again", path: path)
            }
            deadSessionCount = try Self.removeDeadSessions(in: layout.staging)
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

    private static func removeDeadSessions(in staging: String) throws(SystemError) -> Int {
        var count = 0
        for name in try Folders.names(in: staging) where isDead(staging + "/" + name) {
            try Folders.removeTree(staging + "/" + name)
            count += 1
        }
        return count
    }
}
