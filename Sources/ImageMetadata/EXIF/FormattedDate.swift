// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// A date in the notations of EXIF, XMP and IPTC, which ``CaptureDateParser`` parses.
struct FormattedDate {
    /// The day, such as `2016-10-09`.
    private let day: String
    /// The time, such as `14:44:18`; `nil` if unknown.
    private let time: String?
    /// The decimals of the second; `nil` if there are none.
    let fraction: String?
    /// The offset from UTC, such as `-07:00`; `nil` if unknown.
    let offset: String?
    /// The date in the notation of XMP, ISO 8601.
    let xmp: String

    init(_ date: CaptureDate) {
        xmp = date.text
        let parts = xmp.split(separator: "T", maxSplits: 1)
        day = parts.first.map(String.init) ?? xmp
        guard parts.count == 2 else {
            (time, fraction, offset) = (nil, nil, nil)
            return
        }
        let clock = parts[1]
        time = String(clock.prefix(8))
        let rest = clock.dropFirst(8)
        let zone = rest.drop { $0 != "+" && $0 != "-" }
        offset = zone.isEmpty ? nil : String(zone)
        let decimals = rest.dropFirst().prefix { $0.isNumber }
        fraction = rest.first == "." ? String(decimals) : nil
    }

    /// The date in the notation of EXIF, with spaces for unknown parts (EXIF 2.32, 4.6.5).
    var exif: String {
        "\(day.split(separator: "-").joined(separator: ":")) \(time ?? "  :  :  ")"
    }

    /// The day in the notation of IPTC, such as `20161009`.
    var iptcDay: String { day.split(separator: "-").joined() }

    /// The time in the notation of IPTC, such as `144418-0700`; `nil` if unknown.
    var iptcTime: String? {
        time.map { ($0 + (offset ?? "")).split(separator: ":").joined() }
    }
}
