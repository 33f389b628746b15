// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel
import Library

/// A position and a distance from it.
struct NearArgument: ExpressibleByArgument {
    let location: Location
    let metres: Double

    /// Parses `LAT,LON,KM`.
    init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false)
            .map { Double($0) }
        guard numbers.count == 3, let latitude = numbers[0], let longitude = numbers[1],
            let location = Location(latitude: latitude, longitude: longitude),
            let kilometres = numbers[2], (0...100_000).contains(kilometres)
        else { return nil }
        self.location = location
        metres = kilometres * 1000
    }
}
