// SPDX-License-Identifier: Apache-2.0

import FileAccess
import FoundationEssentials

/// An XMP file beside a picture.
enum Sidecar {
    /// No program writes larger ones, in bytes.
    static let maximumBytes = XMPPacket.maximumLength

    /// Its packet; nil where it cannot be read, or is too large to be one.
    static func packet(of file: OpenFile) -> XMPPacket? {
        guard let length = file.length, length > 0, length <= maximumBytes,
            let bytes = Bytes(mapping: file, length: length)
        else { return nil }
        return XMPPacket(utf8(bytes.memory))
    }

    /// XML is UTF-8 unless its first bytes say UTF-16, by a mark or by how `<` is written.
    private static func utf8(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xFE, 0xFF): utf8(bytes.dropFirst(2), isBigEndian: true)
        case (0xFF, 0xFE): utf8(bytes.dropFirst(2), isBigEndian: false)
        case (0x00, UInt8(ascii: "<")): utf8(bytes[...], isBigEndian: true)
        case (UInt8(ascii: "<"), 0x00): utf8(bytes[...], isBigEndian: false)
        default: Array(bytes)
        }
    }

    private static func utf8(
        _ bytes: Slice<UnsafeRawBufferPointer>, isBigEndian: Bool
    ) -> [UInt8] {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { place in
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
