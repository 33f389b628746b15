// SPDX-License-Identifier: Apache-2.0

import EditingModel
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

/// How the columns `creation_date` and `creation_offset` hold a date: the moment in microseconds,
/// and the clock's seconds east of UTC. Of a day without a time, the moment is its noon, and the
/// offset is a whole day, which no clock can have.
extension CaptureDate {
    /// The offset of a day without a time.
    static let dayAlone = 86_400

    /// Reads the columns.
    init(microseconds: Int64, storedOffset: Int?) {
        let date = Date(microseconds: microseconds)
        self =
            storedOffset == Self.dayAlone
            ? CaptureDate(dayOf: date) : CaptureDate(date: date, offset: storedOffset)
    }

    /// What the second column holds.
    var storedOffset: Int? { hasTime ? offset : Self.dayAlone }

}
