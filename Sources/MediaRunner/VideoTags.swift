// SPDX-License-Identifier: Apache-2.0

import CMedia
import EditingModel
import ImageMetadata
import RunnerProtocol

/// The interpretation of video tags, keyed by FFmpeg's names in lowercase.
enum VideoTags {
    /// Returns the capture date: Apple's own tag, which has a UTC offset, otherwise that of `mvhd` in UTC.
    static func date(_ tags: [String: String]) -> CaptureDate? {
        if let date = CaptureDateParser.parse(tags["com.apple.quicktime.creationdate"]) {
            return date
        }
        guard let date = CaptureDateParser.parse(tags["creation_time"] ?? tags["date"]) else {
            return nil
        }
        return date
    }

    /// Returns the location from ISO 6709 text such as `+34.0083-118.4979+010.558/`.
    ///
    /// Angles are in degrees, in degrees and minutes, or in degrees, minutes and seconds.
    static func location(_ tags: [String: String]) -> Location? {
        let names = ["com.apple.quicktime.location.iso6709", "location", "location-eng"]
        guard let text = names.lazy.compactMap({ tags[$0] }).first else { return nil }
        var rest = Substring(text).utf8[...]
        guard let latitude = angle(&rest, wholeDigits: 2),
            let longitude = angle(&rest, wholeDigits: 3)
        else { return nil }
        return Location(latitude: latitude, longitude: longitude)
    }

    /// Parses a signed angle. The number of integer digits determines its form: ±DD, ±DDMM, ±DDMMSS.
    private static func angle(
        _ rest: inout Substring.UTF8View, wholeDigits: Int
    ) -> Double? {
        guard let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
            return nil
        }
        let number = rest.dropFirst().prefix { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
        rest = rest.dropFirst(1 + number.count)
        let digits = number.prefix { $0 != UInt8(ascii: ".") }
        let fraction = String(Substring(number.dropFirst(digits.count)))
        let whole = Array(digits)
        func part(_ from: Int, _ count: Int, isLast: Bool) -> Double? {
            guard from + count <= whole.count else { return nil }
            let text = String(decoding: whole[from..<from + count], as: UTF8.self)
            return Double(isLast ? text + fraction : text)
        }
        let value: Double?
        switch whole.count - wholeDigits {
        case ...0: value = Double(String(decoding: whole, as: UTF8.self) + fraction)
        case 2:
            value = part(0, wholeDigits, isLast: false).flatMap { degrees in
                part(wholeDigits, 2, isLast: true).map { degrees + $0 / 60 }
            }
        case 4:
            value = part(0, wholeDigits, isLast: false).flatMap { degrees in
                part(wholeDigits, 2, isLast: false).flatMap { minutes in
                    part(wholeDigits + 2, 2, isLast: true).map {
                        degrees + minutes / 60 + $0 / 3600
                    }
                }
            }
        default: value = nil
        }
        return value.map { sign == UInt8(ascii: "-") ? -$0 : $0 }
    }

    /// The author that Apple's screen recordings name.
    static let screenRecording = "ReplayKitRecording"

    /// Returns the camera, the texts and the Live Photo identifier.
    static func metadata(_ tags: [String: String]) -> PhotoMetadata {
        func first(_ names: String...) -> String? { names.lazy.compactMap { tags[$0] }.first }
        let authors = [
            "com.apple.quicktime.artist", "artist", "com.apple.quicktime.author", "author",
        ]
        return PhotoMetadata(
            contentIdentifier: tags["com.apple.quicktime.content.identifier"],
            cameraMake: first("com.apple.quicktime.make", "com.android.manufacturer", "make"),
            cameraModel: first("com.apple.quicktime.model", "com.android.model", "model"),
            lensModel: tags["com.apple.quicktime.camera.lens_model"],
            title: first("com.apple.quicktime.title", "title"),
            descriptionText: first("com.apple.quicktime.description", "description"),
            creator: authors.lazy.compactMap { tags[$0] }.first { $0 != screenRecording },
            copyright: first("com.apple.quicktime.copyright", "copyright"))
    }
}
