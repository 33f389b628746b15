// SPDX-License-Identifier: Apache-2.0

/// A metadata value: a `data` box.
package struct MetadataValue: Hashable, Sendable {
    /// The type code, from the table "Well-known types" of Apple's *QuickTime File Format*.
    ///
    /// 1 is UTF-8. 21 and 22 are signed and unsigned integers of up to 8 bytes. 23 and 24 are floating-point
    /// numbers of 32 and 64 bits.
    package let type: UInt32
    /// The country and the language, 16 bits each; 0 for any.
    package let locale: UInt32
    /// The bytes of the value; numbers are big-endian.
    package let bytes: [UInt8]

    /// Creates a value from its type code, locale and bytes.
    package init(type: UInt32, locale: UInt32 = 0, bytes: [UInt8]) {
        self.type = type
        self.locale = locale
        self.bytes = bytes
    }

    /// Creates a UTF-8 text value.
    package init(_ text: String) { self.init(type: 1, bytes: Array(text.utf8)) }

    init(_ bytes: BoxBytes, _ box: Box) throws(MovieError) {
        self.init(
            type: try bytes.uint32(at: 0, in: box.contents),
            locale: try bytes.uint32(at: 4, in: box.contents),
            bytes: Array(bytes.bytes[box.contents.dropFirst(8)]))
    }

    /// The value as text; `nil` for other types or invalid UTF-8.
    package var text: String? { type == 1 ? String(validating: bytes, as: UTF8.self) : nil }

    var box: [UInt8] { .box("data", .numbers(type, locale) + bytes) }
}
