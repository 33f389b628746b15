// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// A date in the words of EXIF, XMP and IPTC. ``DateText`` reads them back.
struct WrittenDate {
    /// `2016-10-09`.
    private let day: String
    /// `14:44:18`; nil where no time is known.
    private let time: String?
    /// The decimals of the second; nil where there are none.
    let fraction: String?
    /// `-07:00`; nil where the zone is not known.
    let offset: String?
    /// As XMP has it, ISO 8601.
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

    /// As EXIF has it; what is not known of it is blank (EXIF 2.32, 4.6.5).
    var exif: String {
        "\(day.split(separator: "-").joined(separator: ":")) \(time ?? "  :  :  ")"
    }

    /// As IPTC has it, `20161009`.
    var iptcDay: String { day.split(separator: "-").joined() }

    /// As IPTC has it, `144418-0700`; nil where no time is known.
    var iptcTime: String? {
        time.map { ($0 + (offset ?? "")).split(separator: ":").joined() }
    }
}
