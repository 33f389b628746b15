// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library

/// Checks files for libraries, in runners that hold no extension.
struct HostVerifier: ContentVerifier {
    let extensions: ExtensionStore
    let pool: RunnerPool

    func photoFacts(of file: StagedBlob, named filename: String) async throws -> PhotoFacts {
        try await pool.photoFacts(of: file.open(), named: filename)
    }

    func prepare(
        _ output: ContentEditingOutput, in library: PhotoLibrary
    ) async throws -> ContentEditingOutput {
        let preparation = OutputPreparation(
            renderer: Renderer(
                library: library, pool: pool, extensions: extensions, purpose: .drawing,
                stagedOriginal: output.input.stagedOriginal))
        do {
            return try await preparation.prepare(output)
        } catch let error as HostError {
            let asset = output.input.asset.localIdentifier
            if Task.isCancelled {
                throw HostError(.cancelled, "the edit was cancelled", asset: asset)
            }
            throw error.naming(asset: asset)
        }
    }

    func makeFiles() throws -> ContentEditingFiles {
        ContentEditingFiles(in: try PrivateFolder(for: .edit))
    }
}

extension ExtensionHost {
    /// Has this host check the files of a library's change blocks: outputs that were not prepared,
    /// and new photographs of which nothing is known
    /// (`AssetCreationRequest.creationRequestForAssetFromImage`). Asking it for an input does so too.
    /// The host that was attached last does it.
    public func attach(to library: PhotoLibrary) { library.setContentVerifier(verifier) }

    var verifier: HostVerifier {
        HostVerifier(extensions: extensions, pool: pool)
    }
}

extension ExtensionHost {
    /// Checks early what an application wrote as the result of an edit of its own, and makes it ready
    /// to be committed; `performChanges` does the same where it has not been done: decodes it whole in
    /// a runner, and copies it into the library's staging folder.
    ///
    /// An upright JPEG is kept byte for byte, with the metadata that the application gave it. Of any
    /// other file the upright pixels are kept without loss, for later edits to start from; the
    /// current version is encoded like that of every edit, with the original's metadata. So an
    /// orientation other than 1 is baked into the pixels. A video is kept byte for byte; its index and its first
    /// frame are checked.
    ///
    /// ```swift
    /// let prepared = try await host.prepare(output, in: library)
    /// try library.performChanges {
    ///     try AssetChangeRequest(for: asset).contentEditingOutput = prepared
    /// }
    /// ```
    ///
    /// - Returns: the output that is to be committed. The one given can be changed and prepared again.
    /// - Throws: `LibraryError` with `missingAdjustmentData`; `HostError` with
    ///   `missingRenderedContent`, or `invalidRenderedContent` where the file is not a whole picture
    ///   of the type that its place is for.
    public func prepare(
        _ output: ContentEditingOutput, in library: PhotoLibrary
    ) async throws -> ContentEditingOutput {
        try await verifier.prepare(output, in: library)
    }
}
