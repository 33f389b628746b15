// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol

extension XMPPacket {
    /// Removes the location, persons, or both.
    ///
    /// - Parameter omitted: A part of the metadata.
    /// - Returns: False if a part of it cannot be removed.
    mutating func remove(_ omitted: EncodeSettings.OmittedMetadata) -> Bool {
        if omitted.omitsLocation, !removeLocation() { return false }
        return !omitted.omitsPeople || removePeople()
    }

    /// The packet with only the creator and the copyright; `nil` if there are none. The values are rewritten, so that
    /// no other data is copied.
    var withCopyrightOnly: XMPPacket? {
        guard let old = XMPEditor(self), var new = XMPEditor(.empty) else { return nil }
        var isEmpty = true
        for name in Self.copyrightProperties {
            guard let value = old.value(name), value != .text("") else { continue }
            new.set(name, to: value)
            isEmpty = false
        }
        return isEmpty ? nil : new.packet
    }

    static let copyrightProperties = [
        "dc:creator", "dc:rights", "xmpRights:Certificate", "xmpRights:Marked",
        "xmpRights:Owner", "xmpRights:UsageTerms", "xmpRights:WebStatement",
    ]

    // MARK: - Location

    /// Removes the location.
    ///
    /// - Returns: False if a part of it cannot be removed.
    mutating func removeLocation() -> Bool {
        // UTF-16 and UTF-32 are not searched.
        if text.prefix(4).contains(0) { return false }
        // Properties are found by namespace, independent of prefixes. A malformed packet is searched for the usual
        // prefixes.
        if var editor = XMPEditor(self, .any) {
            let names = Self.locations.map { XMPName($0) }
            editor.remove { name in
                name.isPosition
                    || names.contains {
                        $0.namespace == XMPName.canonical(name.namespace)
                            && name.local.hasPrefix($0.local)
                    }
            }
            self = editor.packet
        }
        var removed: [Range<Int>] = []
        for beginning in Self.locations.map({ Array($0.utf8) }) {
            var position = 0
            while let start = text.find(beginning, from: position) {
                position = start + beginning.count
                if let range = property(at: start) {
                    removed.append(range)
                    position = max(position, range.upperBound)
                } else if start == 0 || text[start - 1] <= 0x20
                    || text[start - 1] == UInt8(ascii: "<")
                {
                    // The name is in an unterminated element or attribute, or in a text that mentions it.
                    return false
                }
            }
        }
        // Ranges may be nested. All bytes are moved in a single pass.
        var result: [UInt8] = []
        var position = 0
        for range in removed.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > position { result += text[position..<range.lowerBound] }
            position = max(position, range.upperBound)
        }
        self = XMPPacket(result + text[position...])
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

    /// Returns the range of the property whose name starts at an offset: an attribute with its value, or an element
    /// with its content.
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
            return text.find(closing, from: close).map { start - 1..<$0 + closing.count }
        }
        return value(at: start, after: end).map { start..<$0.upperBound + 1 }
    }

    private func value(at position: Int, after end: Int) -> Range<Int>? {
        guard position > 0, end < text.count else { return nil }
        let before = text[position - 1]
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
        var position = start
        while position < text.count, text[position] <= 0x20 { position += 1 }
        return position
    }

    private func range(from start: Int, until end: UInt8) -> Range<Int>? {
        guard start <= text.count,
            let stop = text[start...].prefix(Self.maximumValueLength).firstIndex(of: end)
        else { return nil }
        return start..<stop
    }

    // MARK: - Other parts

    /// The packet without descriptions of videos, sounds, gain maps, depth maps and XMP that the file or the packet
    /// contains besides the picture, because these may contain the picture before the edit. It is `nil` if they cannot
    /// be removed.
    package var withoutOtherParts: XMPPacket? {
        // Most packets contain none of these namespaces.
        guard
            Self.motionPhotoNames.contains(where: {
                text.find(Array($0.namespace.utf8), from: 0) != nil
            })
        else { return self }
        guard var editor = XMPEditor(self) else { return nil }
        editor.remove { name in
            Self.motionPhotoNames.contains { names in
                names.namespace == name.namespace
                    && names.prefixes.contains { name.local.hasPrefix($0) }
            }
        }
        return editor.packet
    }

    private typealias NamePrefixes = (namespace: String, prefixes: [String])

    private static let motionPhotoNames: [NamePrefixes] = [
        ("http://ns.google.com/photos/1.0/camera/", ["MotionPhoto", "MicroVideo"]),
        ("http://ns.google.com/photos/1.0/container/", [""]),
        ("http://ns.google.com/photos/1.0/depthmap/", [""]),
        ("http://ns.google.com/photos/1.0/image/", [""]),
        ("http://ns.google.com/photos/1.0/audio/", [""]),
        ("http://ns.google.com/photos/dd/1.0/device/", [""]),
        ("http://ns.adobe.com/hdr-gain-map/1.0/", [""]),
        ("http://ns.apple.com/HDRGainMap/1.0/", [""]),
        ("http://ns.adobe.com/xmp/note/", ["HasExtendedXMP"]),
    ]
}

extension XMPName {
    /// Whether the property contains a position, such as `GpsLatitude` of DJI, `lat` of the W3C's vocabulary, and
    /// `decimalLatitude` of Darwin Core.
    fileprivate var isPosition: Bool {
        let local = local.lowercased()
        return local.hasPrefix("gps") || local.contains("latitude") || local.contains("longitude")
            || local == "shotlocation" || namespace == "http://www.w3.org/2003/01/geo/wgs84_pos#"
    }
}
