// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Glibc

/// Bytes that have been copied into the library's staging folder and hashed, ready to be
/// committed by a change request. No row names them yet.
///
/// Nobody else can change them: they are a private copy. What is not committed is removed when
/// the last reference goes. One staged blob may be used by several requests and tried again
/// after a failed change.
public final class StagedBlob: Sendable {
    /// The SHA-256 of the bytes.
    public let hash: SHA256Digest
    /// How many bytes there are.
    public let size: Int
    /// The copy's name in the session's folder.
    let name: String
    let session: StagingSession

    /// Where the copy lies, for messages; ``open()`` opens it.
    public var path: String { session.folder.path + "/" + name }

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
    public func open() throws -> OpenFile {
        do {
            return try session.folder.file(name, O_RDONLY)
        } catch {
            throw LibraryError.reading(path, error)
        }
    }
}
