// SPDX-License-Identifier: Apache-2.0

extension XMPPacket {
    /// Returns a packet from bytes in UTF-8 or UTF-16.
    package static func decoded(_ bytes: [UInt8]) -> XMPPacket {
        XMPPacket(bytes.withUnsafeBytes { utf8(utf16: $0) } ?? bytes)
    }

    /// Converts UTF-16, which is detected by a byte order mark or the encoding of `<`.
    ///
    /// - Returns: The text in UTF-8; `nil` if the bytes are not in UTF-16.
    static func utf8(utf16 bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xFE, 0xFF): utf8(bytes.dropFirst(2), isBigEndian: true)
        case (0xFF, 0xFE): utf8(bytes.dropFirst(2), isBigEndian: false)
        case (0x00, UInt8(ascii: "<")): utf8(bytes[...], isBigEndian: true)
        case (UInt8(ascii: "<"), 0x00): utf8(bytes[...], isBigEndian: false)
        default: nil
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
