// SPDX-License-Identifier: Apache-2.0

/// The contents of an XMP file that is written beside a picture or a video.
package struct SidecarWriting: Codable, Hashable, Sendable {
    /// The values to write. A nil property keeps that of the earlier XMP file.
    package var changes: MetadataChanges
    /// The metadata to omit. Nil means none.
    package var omittedMetadata: EncodeSettings.OmittedMetadata?
    /// Whether the picture was rendered, so that settings and coordinates for the original do not apply to it.
    package var isRendered: Bool
    /// Whether to fail if the earlier XMP file cannot be changed. Otherwise, its other properties are lost.
    package var keepsOtherProperties = false

    /// Creates settings from their properties.
    package init(
        _ changes: MetadataChanges, omitting omittedMetadata: EncodeSettings.OmittedMetadata? = nil,
        isRendered: Bool = false
    ) {
        self.changes = changes
        self.omittedMetadata = omittedMetadata
        self.isRendered = isRendered
    }
}
