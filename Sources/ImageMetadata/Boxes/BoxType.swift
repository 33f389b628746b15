// SPDX-License-Identifier: Apache-2.0

/// A four-character code of a box, a handler or a sample format.
package struct BoxType: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The code as a big-endian number.
    package let rawValue: UInt32

    /// Creates a code from a big-endian number.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Creates a code from the first four bytes of a string.
    package init(stringLiteral text: String) {
        rawValue = text.utf8.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The code as text for messages. Bytes other than printable ASCII become dots.
    package var description: String {
        let bytes = stride(from: 24, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: rawValue >> UInt32($0))
        }
        return String(
            decoding: bytes.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: ".") },
            as: UTF8.self)
    }
}
