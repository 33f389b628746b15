// SPDX-License-Identifier: Apache-2.0

import Library

extension ExtensionHost {
    /// The version that the last edit was given as its input, as a file of the rendition's type;
    /// for an asset edited once, the original. It is rendered where it is not stored.
    ///
    /// - Throws: `HostError` with `badRequest` for an asset without edits, `LibraryError`.
    package func previousVersion(
        of identifier: String, in library: PhotoLibrary
    ) async throws -> OwnedDescriptor {
        let history = try library.history(ofAsset: identifier)
        guard !history.chain.isEmpty else {
            throw HostError(
                .badRequest, "it has no edits, so there is no previous version", asset: identifier)
        }
        let below = Array(history.chain.dropLast())
        if below.isEmpty, let original = history.original {
            return try OwnedDescriptor(library.openOriginal(original, for: .copying))
        }
        if let stored = below.last?.current?.blob, library.containsBlob(stored) {
            let file = try library.openBlob(stored, ofAsset: identifier)
            return try OwnedDescriptor(file)
        }
        return try await renderer(of: library, for: .copying).picture(of: below, in: history).bytes
    }
}
