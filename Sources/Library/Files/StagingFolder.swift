// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// A folder outside a library in which rendered content is staged, for programs that render without
/// one.
package struct StagingFolder: Sendable {
    private let store: BlobStore
    private let session: StagingSession

    /// Uses an existing folder, which only this user should be able to write to.
    ///
    /// - Throws: `LibraryError` with `cannotWrite`.
    package init(in path: String) throws {
        do {
            let root = try Folder(root: path)
            store = BlobStore(root: root)
            session = try StagingSession(in: root)
        } catch let error as SystemError {
            throw LibraryError.writing(path, error)
        }
    }

    /// Copies a file into the folder and hashes it, as
    /// ``PhotoLibrary/stage(descriptor:expectedSize:)``.
    ///
    /// - Throws: `LibraryError`.
    package func stage(descriptor: CInt, expectedSize: Int? = nil) async throws -> StagedBlob {
        let file = try OpenFile.duplicate(of: descriptor)
        return try await BlockingIO.run {
            try store.stage(file, expectedSize: expectedSize, in: session)
        }
    }

    /// Creates an unnamed file, as ``PhotoLibrary/makeTemporaryFile()``.
    ///
    /// - Throws: `LibraryError` with `cannotWrite`.
    package func makeTemporaryFile() throws -> OpenFile { try session.makeUnnamedFile() }
}
