// SPDX-License-Identifier: Apache-2.0

import Library

extension ExtensionHost {
    /// Makes this host check the files of a library's change blocks: outputs that were not prepared,
    /// and new photos without known metadata
    /// (`AssetCreationRequest.creationRequestForAssetFromImage`). The host also marks the best frame of a burst
    /// after a change block that groups its frames or removes the marked one. Requesting an input attaches the
    /// host as well. The host attached last is used.
    public func attach(to library: PhotoLibrary) { library.setContentVerifier(verifier) }

    var verifier: HostVerifier {
        HostVerifier(extensions: extensions, pool: pool, logger: logger)
    }
}

extension ExtensionHost {
    /// Checks the result of an application's own edit and prepares it for a commit, ahead of `performChanges`,
    /// which otherwise does the same. The file is copied into the library's staging folder and
    /// decoded completely in a runner.
    ///
    /// An upright JPEG is kept byte for byte, with the metadata that the application wrote. For other
    /// pictures the upright pixels are stored losslessly, as the base of later edits. Their
    /// current version is encoded like that of any edit, with the original's metadata, so an
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
    /// - Returns: The output to commit. The given output can be changed and prepared again.
    /// - Throws: `LibraryError` with `missingAdjustmentData`; `HostError` with
    ///   `missingRenderedContent`, or `invalidRenderedContent` if the file is truncated, damaged, or not
    ///   of the type of its URL.
    public func prepare(
        _ output: ContentEditingOutput, in library: PhotoLibrary
    ) async throws -> ContentEditingOutput {
        try await verifier.prepare(output, in: library)
    }
}
