// SPDX-License-Identifier: Apache-2.0

extension PhotoFacts {
    /// Adds the values of sidecars, which are in order of precedence. They take precedence over those of the file,
    /// except for the date and the exposure time.
    package mutating func add(_ sidecars: [SidecarFacts]) {
        let own = described
        var stated = sidecars.reduce(DescriptiveMetadata()) { $0.filled(from: $1.described) }
            .filled(from: own)
        stated.captureDate = own.captureDate ?? stated.captureDate
        described = stated
        let exposure = sidecars.lazy.compactMap(\.metadata.exposureTime).first
        if exposure != nil { metadata = (metadata ?? PhotoMetadata()).exposed(for: exposure) }
    }
}
