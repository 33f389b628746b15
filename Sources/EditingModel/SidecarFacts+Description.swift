// SPDX-License-Identifier: Apache-2.0

extension SidecarFacts {
    /// The metadata that the sidecar states.
    package var described: DescriptiveMetadata {
        DescriptiveMetadata(metadata, creationDate, location)
    }
}
