// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// What a library needs of a host to take files that nobody has looked at yet. It has no decoder of
/// its own.
package protocol ContentVerifier: Sendable {
    /// Decodes a whole picture, and says what it is.
    func photoFacts(of file: StagedBlob, named filename: String) async throws -> PhotoFacts

    /// Checks what an application wrote as the result of an edit, and makes it ready to be
    /// committed.
    func prepare(
        _ output: ContentEditingOutput, in library: PhotoLibrary
    ) async throws -> ContentEditingOutput

    /// Makes a private place for the result of an edit.
    func makeFiles() throws -> ContentEditingFiles
}

extension PhotoLibrary {
    /// Who checks files for this library; nil where no host has been attached.
    package var contentVerifier: (any ContentVerifier)? { verifier.withLock { $0 } }

    /// Has files of change blocks checked from now on.
    package func setContentVerifier(_ new: any ContentVerifier) { verifier.withLock { $0 = new } }
}
