// SPDX-License-Identifier: Apache-2.0

extension PhotoFacts {
    /// Adds the values of sidecars. They take precedence over those of the file, except for the date.
    package mutating func add(_ sidecars: SidecarFacts) {
        creationDate = creationDate ?? sidecars.creationDate
        location = sidecars.location ?? location
        metadata = (metadata ?? PhotoMetadata()).replacingTexts(with: sidecars.metadata)
    }
}
