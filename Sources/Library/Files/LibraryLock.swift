// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

/// A hold on the library's `lock` file, given up when the last reference goes.
///
/// A change holds it shared from before its files appear under `blobs/` until its transaction
/// has ended; whoever migrates or collects holds it exclusively. So a collector never sees a
/// file whose row is about to be written. The kernel gives up the lock of a dead process.
/// See docs/design/decisions/0005-lock-per-change.md.
final class LibraryLock: Sendable {
    private let file: OpenFile

    /// Holds the lock exclusively, so that nobody changes the library meanwhile; waits about two
    /// seconds for it, then throws `busy`.
    static func exclusive(_ root: Folder) throws -> LibraryLock {
        try LibraryLock(root, exclusively: true, waiting: 2)
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
