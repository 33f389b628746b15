// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library

extension ExtensionHost {
    /// Returns the input of the last edit as a file of the rendition's format, rendered if it is not stored.
    ///
    /// For an asset edited once, this is the original.
    ///
    /// - Throws: `HostError` with `badRequest` for an asset without edits, `LibraryError`.
    package func previousVersion(
        of identifier: String, in library: PhotoLibrary
    ) async throws -> OpenFile {
        let history = try library.history(ofAsset: identifier)
        guard !history.chain.isEmpty else {
            throw HostError(
                .badRequest, "no edits, so there is no previous version", asset: identifier)
        }
        let below = Array(history.chain.dropLast())
        if below.isEmpty, let original = history.original {
            return try library.openOriginal(original, for: .copying)
        }
        if let stored = library.storedPicture(of: below) {
            return try library.openBlob(stored.blob, ofAsset: identifier)
        }
        return try await renderer(of: library, for: .copying).picture(of: below, in: history).bytes
    }
}
