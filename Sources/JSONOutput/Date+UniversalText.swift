// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation

extension Date {
    /// The moment in UTC as RFC 3339.
    package var universalText: String { CaptureDate(date: self, offset: nil).text + "Z" }
}
