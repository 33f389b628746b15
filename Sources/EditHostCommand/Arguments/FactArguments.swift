// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel

/// When something was taken, or that nobody knows.
struct CaptureDateArgument: ExpressibleByArgument {
    /// Nil: nobody knows.
    let value: CaptureDate?

    /// Reads `YYYY-MM-DD`, of which no time is known, `YYYY-MM-DDTHH:MM[:SS[.fraction]][Z|±HH:MM]`,
    /// or `none`.
    init?(argument: String) {
        if argument == "none" {
            value = nil
            return
        }
        // A year or a month is no date to give a photograph.
        guard let moment = MomentArgument(argument: argument),
            moment.isDay || moment.end == moment.start
        else { return nil }
        let date =
            moment.isDay
            ? CaptureDate(dayOf: moment.start)
            : CaptureDate(date: moment.start, offset: moment.offset)
        guard date.isWritable else { return nil }
        value = date
    }
}

/// Where something was taken, or that nobody knows.
struct LocationArgument: ExpressibleByArgument {
    /// Nil: nobody knows.
    let value: Location?

    /// Reads `LAT,LON`, or `none`.
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
