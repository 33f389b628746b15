// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

/// A lock on the library's `lock` file, released with the last reference.
///
/// A change holds a shared lock, from before its files appear under `blobs/` until its transaction
/// has ended. Migrations and garbage collections hold it exclusively. A collection therefore never
/// sees a file whose row is about to be written. The kernel releases the lock of a dead process.
/// See docs/design/decisions/0005-lock-per-change.md.
final class LibraryLock: Sendable {
    /// The number of seconds to wait for an exclusive lock.
    private static let exclusiveTimeout = 2.0

    private let file: OpenFile

    /// Acquires the lock exclusively, which blocks changes to the library. Throws `busy` after
    /// about two seconds.
    static func exclusive(_ root: Folder) throws -> LibraryLock {
        try LibraryLock(root, exclusively: true, waiting: exclusiveTimeout)
    }

    /// Waits at most about `seconds` for the lock, then throws `busy`.
    init(_ root: Folder, exclusively: Bool, waiting seconds: Double) throws {
        do {
            file = try root.file(LibraryName.lock, O_RDWR | O_CREAT, mode: 0o666)
            if try file.lock(exclusively: exclusively, waiting: seconds) { return }
        } catch let error {
            throw LibraryError.writing(root.layout.lock, error)
        }
        let reason =
            exclusively
            ? "in use by another process" : "locked by an upgrade, a repair or a prune"
        throw LibraryError(.busy, "the library is \(reason); try again later", path: root.path)
    }
}
