// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation

extension Date {
    /// The local time for tables, without fractions of a second: `2024-05-31 18:30:00`.
    var tableText: String {
        CaptureDate(date: self, offset: localOffset).timeText
    }
}
