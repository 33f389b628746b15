// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel

/// A location, or `none` for unknown.
struct LocationArgument: ExpressibleByArgument {
    /// The location; `nil` for `none`.
    let value: Location?

    /// Parses `LAT,LON`, or `none`.
    init?(argument: String) {
        if argument == "none" {
            value = nil
            return
        }
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false)
            .map { Double($0) }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
            let location = Location(latitude: latitude, longitude: longitude)
        else { return nil }
        value = location
    }
}
