// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel

/// A capture date, or `none` for unknown.
struct CaptureDateArgument: ExpressibleByArgument {
    /// The date; `nil` for `none`.
    let value: CaptureDate?

    /// Parses `YYYY`, `YYYY-MM` or `YYYY-MM-DD` (no time of day), `YYYY-MM-DDTHH:MM[:SS[.fraction]][Z|±HH:MM]`, or
    /// `none`. A year or a month is its first day, as in imported files.
    init?(argument: String) {
        if argument == "none" {
            value = nil
            return
        }
        guard let moment = MomentArgument(argument: argument) else { return nil }
        let date =
            moment.end > moment.start
            ? CaptureDate(dayOf: moment.start)
            : CaptureDate(date: moment.start, offset: moment.offset)
        guard date.isWritable else { return nil }
        value = date
    }
}
