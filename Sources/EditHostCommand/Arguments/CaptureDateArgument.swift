// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel

/// A capture date, or `none` for unknown.
struct CaptureDateArgument: ExpressibleByArgument {
    /// The date; `nil` for `none`.
    let value: CaptureDate?

    /// Parses `YYYY-MM-DD` (no time of day), `YYYY-MM-DDTHH:MM[:SS[.fraction]][Z|±HH:MM]`, or `none`.
    init?(argument: String) {
        if argument == "none" {
            value = nil
            return
        }
        // A year or a month is not precise enough for a capture date.
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
