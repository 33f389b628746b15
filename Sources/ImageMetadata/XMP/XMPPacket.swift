// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Glibc
import Synchronization

/// An XMP packet, with access to the few properties that are read or changed by an edit.
///
/// XMP is RDF in XML. These properties are simple values or lists, written as attributes or as elements. Everything
/// else is kept.
package struct XMPPacket: Sendable {
    /// The bytes of the packet.
    package private(set) var text: [UInt8] { didSet { cache = Cache() } }
    private var cache = Cache()

    package init(_ bytes: [UInt8]) { text = bytes }

    /// The maximum length of a packet in bytes. No photograph has a longer one.
    package static let maximumLength = 16 << 20

    /// The maximum length of a value in bytes.
    static let maximumValueLength = 1 << 17

    /// Returns the first non-empty value of a property such as `exif:DateTimeOriginal`.
    func value(_ property: String) -> String? {
        for range in ranges(property) where range.count <= Self.maximumValueLength {
            if let value = Self.plainText(text, range)?.trimmingBlanks, !value.isEmpty {
                return value
            }
        }
        return nil
    }

    /// The positions of the picture's properties.
    var properties: XMPProperties { cache.properties(of: text) }

    /// The positions of the properties, computed on demand.
    private final class Cache: Sendable {
        private let known = Mutex<XMPProperties?>(nil)

        func properties(of text: [UInt8]) -> XMPProperties {
            known.withLock { known in
                let properties = known ?? XMPProperties(text)
                known = properties
                return properties
            }
        }
    }

    /// The capture date in `exif:DateTimeOriginal`.
    var dateTimeOriginal: CaptureDate? { DateText.parse(value("exif:DateTimeOriginal")) }

    /// The digitisation date. `xap` is an old name of `xmp`, and `xmp:CreateDate` replaces `exif:DateTimeDigitized`.
    var creationDate: CaptureDate? {
        for property in ["xmp:CreateDate", "xap:CreateDate", "exif:DateTimeDigitized"] {
            if let date = DateText.parse(value(property)) { return date }
        }
        return nil
    }

    /// The user-written creation date of the subject, `photoshop:DateCreated`.
    var contentDate: CaptureDate? { DateText.parse(value("photoshop:DateCreated")) }

    /// The capture date, from the most reliable property.
    package var captureDate: CaptureDate? { dateTimeOriginal ?? contentDate ?? creationDate }

    /// The star rating, rounded.
    var rating: Int? {
        let value = value("xmp:Rating") ?? value("xap:Rating")
        return value.flatMap(Double.init).flatMap { Int(exactly: $0.rounded()) }
    }

    /// The GPS location, `nil` if it is incomplete.
    package var location: Location? {
        guard let latitude = value("exif:GPSLatitude").flatMap(Self.angle),
            let longitude = value("exif:GPSLongitude").flatMap(Self.angle)
        else { return nil }
        return Location(latitude: latitude, longitude: longitude)
    }

    /// Updates the orientation, the size and the colour space, if present. Removes thumbnails, which show the picture
    /// before the edit.
    package mutating func describe(width: Int, height: Int, colorSpace: ExifColorSpace? = nil) {
        removeElement("xmp:Thumbnails")
        var numbers = [
            ("tiff:Orientation", 1), ("tiff:ImageWidth", width), ("exif:PixelXDimension", width),
            ("tiff:ImageLength", height), ("exif:PixelYDimension", height),
        ]
        if let colorSpace { numbers.append(("exif:ColorSpace", colorSpace.number)) }
        let edits = numbers.flatMap { name, number in
            ranges(name).filter { !$0.isEmpty && Self.plainText(text, $0) != nil }
                .map { (range: $0, number: number) }
        }
        for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            text.replaceSubrange(edit.range, with: String(edit.number).utf8)
        }
    }

    /// Removes the location.
    ///
    /// - Returns: False if a part of it cannot be removed.
    mutating func removeLocation() -> Bool {
        // By namespace, independent of prefixes. A malformed packet is searched for the usual prefixes.
        if var editor = XMPEditor(self, .any) {
            let names = Self.locations.map { XMPName($0) }
            editor.remove { name in
                names.contains {
                    $0.namespace == XMPName.usual(name.namespace)
                        && name.local.hasPrefix($0.local)
                }
            }
            text = editor.packet.text
        }
        var gone: [Range<Int>] = []
        for beginning in Self.locations.map({ Array($0.utf8) }) {
            var place = 0
            while let start = find(beginning, from: place) {
                place = start + beginning.count
                if let range = property(at: start) {
                    gone.append(range)
                    place = max(place, range.upperBound)
                } else if start == 0 || text[start - 1] <= 0x20
                    || text[start - 1] == UInt8(ascii: "<")
                {
                    // An unterminated element or attribute, or a text that mentions one.
                    return false
                }
            }
        }
        // Ranges may be nested. All bytes are moved in a single pass.
        var kept: [UInt8] = []
        var place = 0
        for range in gone.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > place { kept += text[place..<range.lowerBound] }
            place = max(place, range.upperBound)
        }
        text = kept + text[place...]
        return true
    }

    /// The prefixes of the names of location properties.
    private static let locations = [
        "exif:GPS", "photoshop:City", "photoshop:State", "photoshop:Country",
        "Iptc4xmpCore:Location", "Iptc4xmpCore:CountryCode", "Iptc4xmpExt:LocationShown",
        "Iptc4xmpExt:LocationCreated", "Iptc4xmpExt:City", "Iptc4xmpExt:ProvinceState",
        "Iptc4xmpExt:CountryName", "Iptc4xmpExt:CountryCode", "Iptc4xmpExt:Sublocation",
        "Iptc4xmpExt:WorldRegion",
    ]

    /// Returns the range of the property whose name starts here: an attribute with its value, or an element with its
    /// content.
    private func property(at start: Int) -> Range<Int>? {
        guard start > 0 else { return nil }
        let isNamePart: (UInt8) -> Bool = {
            $0 > 0x7F || UInt8(ascii: "-") == $0 || (0x30...0x3A).contains($0)
                || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x5F
        }
        let end = text[start...].firstIndex { !isNamePart($0) } ?? text.count
        if text[start - 1] == UInt8(ascii: "<") {
            guard let close = text[end...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
            if text[close - 1] == UInt8(ascii: "/") { return start - 1..<close + 1 }
            let closing = Array("</".utf8) + text[start..<end] + Array(">".utf8)
            return find(closing, from: close).map { start - 1..<$0 + closing.count }
        }
        return value(at: start, after: end).map { start..<$0.upperBound + 1 }
    }

    private mutating func removeElement(_ name: String) {
        let closing = Array("</\(name)>".utf8)
        while let start = find(Array("<\(name)".utf8), from: 0),
            let end = find(closing, from: start)
        { text.removeSubrange(start..<end + closing.count) }
    }

    /// Parses `DDD,MM,SSk` or `DDD,MM.mmmk`, with k one of N, S, E, W. Plain degrees are accepted, too.
    private static func angle(_ text: String) -> Double? {
        let isNegative = text.hasSuffix("S") || text.hasSuffix("W")
        let hasHemisphere = isNegative || text.hasSuffix("N") || text.hasSuffix("E")
        let parts = (hasHemisphere ? text.dropLast() : text[...]).split(separator: ",")
        let numbers = parts.compactMap { Double($0) }
        guard !numbers.isEmpty, numbers.count == parts.count, numbers.count <= 3,
            numbers.allSatisfy(\.isFinite)
        else { return nil }
        let degrees = zip(numbers, [1.0, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
        return isNegative ? -degrees : degrees
    }

    // MARK: - Finding

    /// Returns the ranges of a property's values: within `name="..."`, or between `<name>` and `</name>`.
    func ranges(_ property: String) -> [Range<Int>] { properties[property].map(\.value) }

    private func value(at place: Int, after end: Int) -> Range<Int>? {
        guard place > 0, end < text.count else { return nil }
        let before = text[place - 1]
        if before == UInt8(ascii: "<"), text[end] == UInt8(ascii: ">") {
            return range(from: end + 1, until: UInt8(ascii: "<"))
        }
        guard before <= 0x20 else { return nil }
        let equals = skipBlanks(end)
        guard equals < text.count, text[equals] == UInt8(ascii: "=") else { return nil }
        let quote = skipBlanks(equals + 1)
        guard quote < text.count, [0x22, 0x27].contains(text[quote]) else { return nil }
        return range(from: quote + 1, until: text[quote])
    }

    private func skipBlanks(_ start: Int) -> Int {
        var place = start
        while place < text.count, text[place] <= 0x20 { place += 1 }
        return place
    }

    private func range(from start: Int, until end: UInt8) -> Range<Int>? {
        guard start <= text.count,
            let stop = text[start...].prefix(Self.maximumValueLength).firstIndex(of: end)
        else { return nil }
        return start..<stop
    }
}
