// SPDX-License-Identifier: Apache-2.0

extension PhotoFacts {
    /// Adds the values of sidecars, which are in order of precedence. They take precedence over those of the file,
    /// except for the date and the exposure time.
    ///
    /// - Parameter older: Sidecars over which the file takes precedence.
    package mutating func add(_ sidecars: [SidecarFacts], older: [SidecarFacts] = []) {
        let own = described
        var file = own
        // Cameras write a rating of 0, which means none.
        if file.rating == 0 { file.rating = nil }
        var stated = (sidecars.map(\.described) + [file] + older.map(\.described))
            .reduce(DescriptiveMetadata()) { $0.filled(from: $1) }
        stated.rating = stated.rating ?? own.rating
        stated.captureDate = own.captureDate ?? stated.captureDate
        described = stated
        let exposure = (sidecars + older).lazy.compactMap(\.metadata.exposureTime).first
        if exposure != nil { metadata = (metadata ?? PhotoMetadata()).exposed(for: exposure) }
    }
}
