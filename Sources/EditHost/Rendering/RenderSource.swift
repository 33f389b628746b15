// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library

/// The files that a ``Renderer`` reads and writes: those of a library, or of a folder without a database.
protocol RenderSource: Sendable {
    /// Opens an original, stored or referenced.
    ///
    /// - Throws: `LibraryError`, with `originalMissing`, `referencedFileChanged` or `blobMissing` for an unavailable
    ///   original.
    func openOriginal(_ resource: AssetResource, for purpose: ReadingPurpose) throws -> OpenFile

    /// Opens a stored file: a rendition, or the file of a parameter.
    ///
    /// - Throws: `LibraryError`.
    func openBlob(
        _ hash: SHA256Digest, ofAsset assetIdentifier: String?, for purpose: ReadingPurpose
    ) throws -> OpenFile

    /// Returns the error for a stored file whose content does not match its hash.
    func damage(of hash: SHA256Digest, ofAsset assetIdentifier: String?) -> LibraryError

    /// Copies rendered content to a private file and hashes it.
    ///
    /// - Throws: `LibraryError`.
    func stage(descriptor: CInt, expectedSize: Int?) async throws -> StagedBlob

    /// Creates an unnamed file for content to be staged. It is removed with its last descriptor.
    ///
    /// - Throws: `LibraryError`.
    func makeTemporaryFile() throws -> OpenFile
}
