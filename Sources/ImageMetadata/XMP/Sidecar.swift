// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials

/// An XMP file next to a picture or video, or a JSON file of Google Takeout.
package enum Sidecar {
    /// The maximum length that is read, in bytes. No program writes larger files.
    static let maximumBytes = XMPPacket.maximumLength

    /// Returns the packet of a file; `nil` if the file is unreadable, empty, or too large.
    package static func packet(of file: OpenFile) -> XMPPacket? {
        guard let length = file.length, length > 0, length <= maximumBytes,
            let bytes = Bytes(mapping: file, length: length)
        else { return nil }
        return XMPPacket(utf8(bytes.memory))
    }

    /// Returns the facts in a file.
    package static func facts(of file: OpenFile) -> SidecarFacts {
        if let length = file.length, length > 0, length <= maximumBytes,
            let bytes = Bytes(mapping: file, length: length), TakeoutSidecar.isJSON(bytes.memory)
        {
            return TakeoutSidecar.facts(of: bytes.memory)
        }
        guard let packet = packet(of: file) else {
            return SidecarFacts(
                problem: "it is empty or larger than \(maximumBytes >> 20) MiB")
        }
        let description = packet.descriptionText.flatMap {
            DefaultDescriptions.contains($0) ? nil : MetadataText.lines($0)
        }
        var facts = SidecarFacts(
            creationDate: packet.captureDate, location: packet.location,
            metadata: PhotoMetadata(
                rating: packet.rating, keywords: packet.keywords,
                title: packet.title.flatMap(MetadataText.line), descriptionText: description,
                label: packet.label.flatMap(MetadataText.line), exposureTime: packet.exposureTime),
            changeDate: packet.changeDate,
            problem: packet.isComplete ? nil : "it is truncated, or not XML")
        facts.hasOutdatedKeywords = packet.hasOutdatedKeywords
        return facts
    }

    /// Converts XML to UTF-8. UTF-16 is detected by a byte order mark or the encoding of `<`.
    private static func utf8(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xFE, 0xFF): utf8(bytes.dropFirst(2), isBigEndian: true)
        case (0xFF, 0xFE): utf8(bytes.dropFirst(2), isBigEndian: false)
        case (0x00, UInt8(ascii: "<")): utf8(bytes[...], isBigEndian: true)
        case (UInt8(ascii: "<"), 0x00): utf8(bytes[...], isBigEndian: false)
        default:
            // Some programs write Latin-1, with or without a declaration.
            String(validating: bytes, as: UTF8.self) == nil
                ? Array(String(windows1252: bytes).utf8) : Array(bytes)
        }
    }

    private static func utf8(
        _ bytes: Slice<UnsafeRawBufferPointer>, isBigEndian: Bool
    ) -> [UInt8] {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { position in
            let (first, second) = (UInt16(bytes[position]), UInt16(bytes[position + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
