// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation

/// How much JSON from a file is parsed. Parsed values take many times the bytes that they are written in, so they are counted
/// before.
struct JSONLimits {
    /// The most bytes.
    var bytes = 1 << 20
    /// The most values and keys, of all arrays and objects together.
    var values = 100_000
    /// How deep arrays and objects may be in one another.
    var depth = 32

    /// Why a text is too large to be parsed; nil: it is not.
    func excess(of text: Data) -> String? {
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

    /// The bytes of a file; nil: there are too many.
    func content(of file: OpenFile) throws -> Data? {
        let data = try file.read(count: bytes + 1)
        return data.count <= bytes ? data : nil
    }

    static func tooLong(_ bytes: Int) -> String {
        bytes >= 1 << 20
            ? "it is longer than \(bytes >> 20) MiB" : "it is longer than \(bytes >> 10) KiB"
    }

    /// Counts without parsing; of what is no JSON it counts something.
    private struct Counter {
        var depth = 0
        private var values = 0
        private var isInText = false
        private var isEscaped = false

        /// Takes the next byte; false: that is too much.
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
