// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation

/// The limits on JSON that is parsed from a file.
///
/// Parsed values take many times their size in the text, so they are counted before parsing.
package struct JSONLimits {
    /// The maximum number of bytes.
    package var bytes: Int
    /// The maximum number of values and keys, in all arrays and objects together.
    package var values: Int
    /// The maximum nesting depth of arrays and objects.
    package var depth: Int

    /// Creates limits; the defaults are 1 MiB, 100,000 values and 32 levels.
    package init(bytes: Int = 1 << 20, values: Int = 100_000, depth: Int = 32) {
        (self.bytes, self.values, self.depth) = (bytes, values, depth)
    }

    /// Returns why a text exceeds the limits, or nil if it does not.
    package func excess(of text: Data) -> String? {
        guard text.count <= bytes else { return Self.tooLong(bytes) }
        var counter = Counter()
        let isWithin = text.withUnsafeBytes { bytes in
            bytes.allSatisfy { counter.take($0, self) }
        }
        guard !isWithin else { return nil }
        return counter.depth > depth
            ? "its values are nested more than \(depth) levels deep"
            : "it has more than \(values) values"
    }

    /// Returns the bytes of a file, or nil if there are too many.
    func content(of file: OpenFile) throws -> Data? {
        let data = try file.read(count: bytes + 1)
        return data.count <= bytes ? data : nil
    }

    static func tooLong(_ bytes: Int) -> String {
        bytes >= 1 << 20
            ? "it is longer than \(bytes >> 20) MiB" : "it is longer than \(bytes >> 10) KiB"
    }

    /// Counts values without parsing. The counts of invalid JSON are meaningless, but bounded by the same limits.
    private struct Counter {
        var depth = 0
        private var values = 0
        private var isInText = false
        private var isEscaped = false

        /// Counts the next byte. Returns `false` if a limit is exceeded.
        mutating func take(_ byte: UInt8, _ limits: JSONLimits) -> Bool {
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                return true
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                values += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ","), UInt8(ascii: ":"): values += 1
            default: break
            }
            return depth <= limits.depth && values <= limits.values
        }
    }
}
