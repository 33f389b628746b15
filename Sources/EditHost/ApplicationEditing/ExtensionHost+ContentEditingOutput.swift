// SPDX-License-Identifier: Apache-2.0

import Library

extension ExtensionHost {
    /// Checks early what an application wrote as the result of an edit of its own, and makes it ready
    /// to be committed; `performChanges` does the same where it has not been done: decodes it whole in
    /// a runner, and copies it into the library's staging folder.
    ///
    /// An upright JPEG is kept byte for byte, with the metadata that the application gave it. Of any
    /// other file the upright pixels are kept without loss, for later edits to start from; the
    /// current version is encoded like that of every edit, with the original's metadata. So an
    /// orientation other than 1 is baked into the pixels.
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
