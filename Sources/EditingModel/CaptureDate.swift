// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The moment a photograph was taken, as its file tells it.
///
/// Cameras write local time, often without saying which zone: `offset` is nil then, and
/// `date` reads the local time as if it were UTC, so that such dates sort and print as written.
public struct CaptureDate: Codable, Hashable, Sendable {
    /// The moment. Without `offset`, the camera's wall clock read as UTC.
    public let date: Date
    /// Seconds east of UTC of the camera's clock, or nil where the file does not say.
    public let offset: Int?

    /// Makes a date.
    public init(date: Date, offset: Int?) {
        self.date = date
        self.offset = offset
    }
    /// Whether it can be written as RFC 3339 and read back: its clock shows a year of 1 to 9999,
    /// also when rounded to the millisecond as ``text`` does, and is less than a day from UTC.
    public var isWritable: Bool {
        let clock = date.timeIntervalSince1970 + Double(offset ?? 0)
        return clock >= -62_135_596_800 && (clock * 1000).rounded() < 253_402_300_800_000
            && (-86399...86399).contains(offset ?? 0)
    }
}
