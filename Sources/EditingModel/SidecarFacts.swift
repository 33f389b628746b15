// SPDX-License-Identifier: Apache-2.0

/// The metadata of a video's XMP sidecars, which the media runner does not read.
package struct SidecarFacts: Codable, Hashable, Sendable {
    /// The capture date; `nil` if no sidecar has one.
    package var creationDate: CaptureDate?
    /// The location; `nil` if no sidecar has one.
    package var location: Location?
    /// The user-written metadata: title, description, label, rating and keywords.
    package var metadata: PhotoMetadata
    /// The warnings to show to the user.
    package var warnings: [String]

    /// Creates the metadata of a video's sidecars.
    package init(
        creationDate: CaptureDate?, location: Location?, metadata: PhotoMetadata,
        warnings: [String]
    ) {
        self.creationDate = creationDate
        self.location = location
        self.metadata = metadata
        self.warnings = warnings
    }
}
