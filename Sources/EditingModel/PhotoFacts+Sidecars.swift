// SPDX-License-Identifier: Apache-2.0

extension PhotoFacts {
    /// Fills in missing values from other sidecars.
    package mutating func complete(with beside: SidecarFacts) {
        creationDate = creationDate ?? beside.creationDate
        location = location ?? beside.location
        metadata = (metadata ?? PhotoMetadata()).completed(with: beside.metadata)
    }
}
