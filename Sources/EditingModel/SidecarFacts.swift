// SPDX-License-Identifier: Apache-2.0

/// What the XMP files beside a video say, which the media runner does not read.
package struct SidecarFacts: Codable, Hashable, Sendable {
    /// When it was taken; nil: none of them says.
    package var creationDate: CaptureDate?
    /// Where it was taken; nil: none of them says.
    package var location: Location?
    /// What people wrote of it: title, description, label, rating and keywords.
    package var metadata: PhotoMetadata
    /// What the user should be told.
    package var warnings: [String]

    /// Makes facts; every argument is the property of its name.
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

extension PhotoFacts {
    /// Takes from XMP files what the file itself does not say.
    package mutating func complete(with beside: SidecarFacts) {
        creationDate = creationDate ?? beside.creationDate
        location = location ?? beside.location
        metadata = (metadata ?? PhotoMetadata()).completed(with: beside.metadata)
    }
}
