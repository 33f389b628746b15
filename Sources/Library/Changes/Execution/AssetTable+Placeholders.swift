// SPDX-License-Identifier: Apache-2.0

/// Placeholders of requested assets whose originals are already in the library.
extension AssetTable {
    /// Maps a placeholder to the existing asset with the same original.
    func setExistingAsset(_ identifier: String, forPlaceholder placeholder: String) {
        existingAssets[placeholder] = identifier
    }

    /// Returns the identifier of the existing asset that a placeholder was mapped to; otherwise the
    /// identifier itself.
    func resolvePlaceholder(_ identifier: String) -> String {
        existingAssets[identifier] ?? identifier
    }
}
