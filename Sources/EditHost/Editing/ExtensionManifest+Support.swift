// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension ExtensionManifest {
    /// Throws an error if the extension cannot edit an asset.
    ///
    /// - Parameter editsMotion: Whether the video of a Live Photo is edited too.
    /// - Throws: `HostError` with `unsupportedMediaType`.
    func requireSupport(for asset: Asset, editsMotion: Bool) throws {
        guard supportedMediaTypes.contains(asset.mediaType) else {
            throw HostError(
                .unsupportedMediaType,
                "the extension \(identifier) cannot edit assets of type \(asset.mediaType.name)",
                asset: asset.localIdentifier, extension: identifier)
        }
        guard !editsMotion || supportedMediaTypes.contains(.video) else {
            throw HostError(
                .unsupportedMediaType,
                "the extension \(identifier) cannot edit the video of a Live "
                    + "Photo; use --still-only to edit only the still, which hides the "
                    + "motion until the edit is undone",
                asset: asset.localIdentifier, extension: identifier)
        }
    }
}
