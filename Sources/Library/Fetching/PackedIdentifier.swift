// SPDX-License-Identifier: Apache-2.0

/// An identifier in 16 bytes.
struct PackedIdentifier: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Packs a lower-case UUID; nil where the text is none.
    init?(_ text: String) {
        var words: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for (place, byte) in text.utf8.enumerated() {
            if [8, 13, 18, 23].contains(place) {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Self.value(of: byte) else { return nil }
            words.0 = words.0 << 4 | words.1 >> 60
            words.1 = words.1 << 4 | digit
            digits += 1
        }
        guard digits == 32, text.utf8.count == 36 else { return nil }
        (high, low) = words
    }

    private static func value(of byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        default: nil
        }
    }

    /// The identifier as it is written.
    var text: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var nibble = 0
            for place in 0..<36 {
                if place == 8 || place == 13 || place == 18 || place == 23 {
                    buffer[place] = UInt8(ascii: "-")
                    continue
                }
                let word = nibble < 16 ? high : low
                let value = UInt8(truncatingIfNeeded: word >> UInt64(60 - nibble % 16 * 4)) & 15
                buffer[place] = value < 10 ? 48 + value : 87 + value
                nibble += 1
            }
            return 36
        }
    }
}
