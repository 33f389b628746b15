// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The moment a photograph was taken, as its file tells it.
///
/// Cameras write local time, often without saying which zone: `offset` is nil then, and
/// `date` reads the local time as if it were UTC, so that such dates sort and print as written.
/// Some files tell a day only: such a date is written as one, and counts as noon of that day where
/// a moment is needed.
public struct CaptureDate: Codable, Hashable, Sendable {
    /// The moment. Without `offset`, the camera's wall clock read as UTC.
    public let date: Date
    /// Seconds east of UTC of the camera's clock, or nil where the file does not say.
    public let offset: Int?
    /// Whether a time is known beside the day.
    public let hasTime: Bool

    /// Makes a date with a time.
    public init(date: Date, offset: Int?) {
        (self.date, self.offset, hasTime) = (date, offset, true)
    }

    /// Makes a date of which no time is known: the day, in UTC, that a moment lies in.
    public init(dayOf moment: Date) {
        let day = (moment.timeIntervalSince1970 / 86_400).rounded(.down)
        date = Date(timeIntervalSince1970: (day + 0.5) * 86_400)
        (offset, hasTime) = (nil, false)
    }

    /// Whether it can be written as RFC 3339 and read back: its clock shows a year of 1 to 9999,
    /// also when rounded to the millisecond as ``text`` does, and is less than a day from UTC.
    public var isWritable: Bool {
        let clock = date.timeIntervalSince1970 + Double(offset ?? 0)
        return clock >= -62_135_596_800 && (clock * 1000).rounded() < 253_402_300_800_000
            && (-86399...86399).contains(offset ?? 0)
    }

    private enum CodingKeys: String, CodingKey {
        case date, offset, hasTime
    }

    /// Decodes a date; one with a time does not say so.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let date = try values.decode(Date.self, forKey: .date)
        if try values.decodeIfPresent(Bool.self, forKey: .hasTime) ?? true {
            self.init(date: date, offset: try values.decodeIfPresent(Int.self, forKey: .offset))
        } else {
            self.init(dayOf: date)
        }
    }

    /// Encodes a date.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(date, forKey: .date)
        try values.encodeIfPresent(offset, forKey: .offset)
        if !hasTime { try values.encode(false, forKey: .hasTime) }
    }
}
