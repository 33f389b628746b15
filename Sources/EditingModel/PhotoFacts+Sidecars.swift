// SPDX-License-Identifier: Apache-2.0

extension PhotoFacts {
    /// Adds the values of sidecars. They take precedence over those of the file, except for the date.
    package mutating func add(_ beside: SidecarFacts) {
        creationDate = creationDate ?? beside.creationDate
        location = beside.location ?? location
        metadata = (metadata ?? PhotoMetadata()).replacingTexts(with: beside.metadata)
    }
}
