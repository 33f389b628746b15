// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation

extension CaptureDate {
    /// The date for tables, without fractions of a second: `2024-05-31 18:30:00`, with the offset from UTC if it
    /// is known, or only the day if the time is not known.
    var tableText: String {
        let offset = offset == nil ? "" : text.suffix(6)
        return timeText + offset
    }

    /// The date and time by the clock of the offset.
    var timeText: String {
        text.prefix(19).replacingOccurrences(of: "T", with: " ")
    }
}
