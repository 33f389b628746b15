// SPDX-License-Identifier: Apache-2.0

extension PhotoFacts {
    /// The metadata that can also be set in a sidecar and in the library.
    package var described: DescriptiveMetadata {
        get { DescriptiveMetadata(metadata, creationDate, location) }
        set {
            guard newValue != described else { return }
            creationDate = newValue.captureDate
            location = newValue.location
            metadata = (metadata ?? PhotoMetadata()).described(by: newValue)
        }
    }
}
