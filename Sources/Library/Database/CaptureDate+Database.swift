// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// The storage of a date in the columns `creation_date`, in microseconds, and `creation_offset`, in
/// seconds east of UTC. A date without a time is stored as noon, with an offset of a whole day,
/// which no clock can have.
extension CaptureDate {
    /// The offset of a date without a time.
    static let dayAlone = 86_400

    /// Creates a date from the values of the columns.
    init(microseconds: Int64, storedOffset: Int?) {
        let date = Date(microseconds: microseconds)
        self =
            storedOffset == Self.dayAlone
            ? CaptureDate(dayOf: date) : CaptureDate(date: date, offset: storedOffset)
    }

    /// The value of `creation_offset`.
    var storedOffset: Int? { hasTime ? offset : Self.dayAlone }

}
