// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The decoding that a library needs from a host to accept unverified files and to compare the
/// frames of bursts. The library itself has no decoder.
package protocol ContentVerifier: Sendable {
    /// Decodes a whole picture and returns its facts.
    func photoFacts(of file: StagedBlob, named filename: String) async throws -> PhotoFacts

    /// Validates the files written by an application as the result of an edit, and stages them for
    /// the commit.
    func prepare(
        _ output: ContentEditingOutput, in library: PhotoLibrary
    ) async throws -> ContentEditingOutput

    /// Creates a private folder for the result of an edit.
    func makeFiles() throws -> ContentEditingFiles

    /// Marks the best frame of each burst as its automatic pick. A burst that cannot be measured is
    /// left unchanged.
    func pickBestFrames(ofBursts bursts: Set<String>, in library: PhotoLibrary) async
}

extension AssetChangeRequest: ContentEditingRequest {
    var output: ContentEditingOutput? { state.withLock { $0.output } }
    func replaceOutput(_ output: ContentEditingOutput) { state.withLock { $0.output = output } }
}

extension AssetCreationRequest: ContentEditingRequest {
    var output: ContentEditingOutput? { state.withLock { $0.output } }
    func replaceOutput(_ output: ContentEditingOutput) { state.withLock { $0.output = output } }
}
