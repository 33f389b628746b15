// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

extension Date {
    /// The date in microseconds since 1970, as stored in the database.
    var microseconds: Int64 {
        let value = (timeIntervalSince1970 * 1e6).rounded()
        return Int64(exactly: value) ?? (value < 0 ? .min : .max)
    }

    /// Creates a date from microseconds since 1970.
    init(microseconds: Int64) {
        self.init(timeIntervalSince1970: Double(microseconds) / 1e6)
    }
}
