// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import Glibc

/// Hashed content in the library's staging folder, ready to be committed by a change request. No
/// row refers to it yet.
///
/// It is a private copy, or another name of a stored file, and no other process modifies it. Unless
/// it is committed, it is removed when the last reference is released. A staged blob may be used by
/// several requests, and again after a failed change.
package final class StagedBlob: Sendable {
    /// The SHA-256 of the content.
    package let hash: SHA256Digest
    /// The size of the content in bytes.
    package let size: Int
    /// The name of the copy in the session's folder.
    let name: String
    let session: StagingSession
    /// Whether the copy is durable; otherwise its commit synchronises the file system.
    let isSynchronized: Bool

    /// The path of the copy, for error messages. Use ``open()`` to open it.
    package var path: String { session.folder.path + "/" + name }

    init(
        hash: SHA256Digest, size: Int, name: String, session: StagingSession,
        isSynchronized: Bool = true
    ) {
        self.hash = hash
        self.size = size
        self.name = name
        self.session = session
        self.isSynchronized = isSynchronized
    }

    deinit { try? session.folder.removeFile(name) }

    /// Opens the copy for reading, with an independent offset.
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
