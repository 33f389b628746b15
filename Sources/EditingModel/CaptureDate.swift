// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The capture date of a photo, as recorded in its file.
///
/// Cameras write local time, often without a time zone. `offset` is then `nil`, and `date` is the local time
/// interpreted as UTC, so that such dates sort and print as written.
///
/// Some files record only a day. Such a date is written as a day, and its `date` is noon of that day.
public struct CaptureDate: Codable, Hashable, Sendable {
    /// The point in time. Without `offset`, it is the camera's local time interpreted as UTC.
    public let date: Date
    /// The UTC offset of the camera's clock in seconds, positive to the east; `nil` if the file does not record
    /// it.
    public let offset: Int?
    /// `true` if the time of day is known, not only the day.
    public let hasTime: Bool

    /// Creates a date with a time of day.
    public init(date: Date, offset: Int?) {
        (self.date, self.offset, hasTime) = (date, offset, true)
    }

    /// Creates a date without a time of day: the UTC day that contains the given moment.
    public init(dayOf moment: Date) {
        let day = (moment.timeIntervalSince1970 / 86_400).rounded(.down)
        date = Date(timeIntervalSince1970: (day + 0.5) * 86_400)
        (offset, hasTime) = (nil, false)
    }

    /// `true` if ``text`` can represent the date.
    ///
    /// The local year must be 1...9999 after rounding to milliseconds, and the UTC offset shorter than a day.
    public var isWritable: Bool {
        let clock = date.timeIntervalSince1970 + Double(offset ?? 0)
        return clock >= -62_135_596_800 && (clock * 1000).rounded() < 253_402_300_800_000
            && (-86399...86399).contains(offset ?? 0)
    }

    private enum CodingKeys: String, CodingKey {
        case date, offset, hasTime
    }

    /// Decodes a date. A missing `hasTime` means `true`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let date = try values.decode(Date.self, forKey: .date)
        if try values.decodeIfPresent(Bool.self, forKey: .hasTime) ?? true {
            self.init(date: date, offset: try values.decodeIfPresent(Int.self, forKey: .offset))
        } else {
            self.init(dayOf: date)
        }
    }

    /// Encodes a date. `hasTime` is written only if it is `false`.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(date, forKey: .date)
        try values.encodeIfPresent(offset, forKey: .offset)
        if !hasTime { try values.encode(false, forKey: .hasTime) }
    }
}
