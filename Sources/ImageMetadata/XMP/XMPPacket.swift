// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Synchronization

/// An XMP packet, with access to the few properties that an edit reads or changes.
///
/// XMP is RDF in XML. These properties are simple values or lists, which are written as attributes or as elements. All
/// other data is kept.
package struct XMPPacket: Sendable {
    /// The bytes of the packet.
    package private(set) var text: [UInt8] { didSet { cache = Cache() } }
    private var cache = Cache()

    package init(_ bytes: [UInt8]) { text = bytes }

    /// The maximum length of a packet in bytes. No photo has a longer one.
    package static let maximumLength = 16 << 20

    /// The maximum length of a value in bytes.
    static let maximumValueLength = 1 << 17

    /// Returns the first non-empty value of a property such as `exif:DateTimeOriginal`.
    func value(_ property: String) -> String? {
        for range in ranges(property) where range.count <= Self.maximumValueLength {
            if let value = XMLText.plain(text, range)?.trimmingBlanks, !value.isEmpty {
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

    /// Returns the ranges of a property's values: within `name="..."`, or between `<name>` and `</name>`.
    func ranges(_ property: String) -> [Range<Int>] { properties[property].map(\.value) }

    // MARK: - Changing

    /// Updates the orientation, the size and the colour space, if they are present. Removes thumbnails, which show the
    /// picture before the edit.
    package mutating func describe(width: Int, height: Int, colorSpace: ExifColorSpace? = nil) {
        removeElement("xmp:Thumbnails")
        var numbers = [
            ("tiff:Orientation", 1), ("tiff:ImageWidth", width), ("exif:PixelXDimension", width),
            ("tiff:ImageLength", height), ("exif:PixelYDimension", height),
        ]
        if let colorSpace { numbers.append(("exif:ColorSpace", colorSpace.number)) }
        let edits = numbers.flatMap { name, number in
            ranges(name).filter { !$0.isEmpty && XMLText.plain(text, $0) != nil }
                .map { (range: $0, number: number) }
        }
        for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            text.replaceSubrange(edit.range, with: String(edit.number).utf8)
        }
    }

    private mutating func removeElement(_ name: String) {
        let closing = Array("</\(name)>".utf8)
        while let start = text.find(Array("<\(name)".utf8), from: 0),
            let end = text.find(closing, from: start)
        { text.removeSubrange(start..<end + closing.count) }
    }

    /// The packet without the padding before its end marker (XMP Specification, part 1, 7.3.2).
    var withoutPadding: XMPPacket {
        let mark = Array("<?xpacket end".utf8)
        guard let end = text.lastRange(of: mark)?.lowerBound else { return self }
        let isBlank: (UInt8) -> Bool = { $0 <= 0x20 }
        let start = text[..<end].lastIndex { !isBlank($0) }.map { $0 + 1 } ?? end
        return XMPPacket(text[..<start] + [0x0A] + text[end...])
    }
}
