// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

extension Date {
    /// Microseconds since 1970, as the database stores dates.
    var microseconds: Int64 {
        let value = (timeIntervalSince1970 * 1e6).rounded()
        return Int64(exactly: value) ?? (value < 0 ? .min : .max)
    }

    /// Takes microseconds since 1970.
    init(microseconds: Int64) {
        self.init(timeIntervalSince1970: Double(microseconds) / 1e6)
    }
}
