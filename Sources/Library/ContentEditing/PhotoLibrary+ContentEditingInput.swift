// SPDX-License-Identifier: Apache-2.0

extension PhotoLibrary {
    /// Returns the input for the next edit of the asset's current version.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset` or `noSuchEdit`.
    package func contentEditingInput(
        forAsset identifier: String, placement: ContentEditingInput.Placement
    ) throws -> ContentEditingInput {
        try ContentEditingInput(
            history: history(ofAsset: identifier), placement: placement)
    }
}
