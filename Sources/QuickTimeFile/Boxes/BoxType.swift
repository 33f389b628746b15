// SPDX-License-Identifier: Apache-2.0

/// Four characters that name a box, a handler or a sample format.
package struct BoxType: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The characters as a number, the first in the highest byte.
    package let rawValue: UInt32

    /// Makes one of a number.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Makes one of the first four bytes of a text.
    package init(stringLiteral text: String) {
        rawValue = text.utf8.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The characters, for messages; a byte that is no printable character of ASCII becomes a point.
    package var description: String {
        let bytes = stride(from: 24, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: rawValue >> UInt32($0))
        }
        return String(
            decoding: bytes.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: ".") },
            as: UTF8.self)
    }
}
