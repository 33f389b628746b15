// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import Glibc

/// Reads the words and numbers of a text, line by line. Because the text is untrusted, each byte is read at most twice.
struct CubeScanner {
    /// The maximum length of a line in bytes.
    static let longestLine = 4096

    private let bytes: [UInt8]
    private var position = 0
    private var startOfLine = 0
    /// The number of the current line, starting at 1.
    private(set) var line = 1

    /// Creates a scanner at the start of a text, or after its byte order mark.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// Whether the end of the text is reached.
    var isAtEnd: Bool { position >= bytes.count }

    /// Returns the next byte if it belongs to a word or a number; nil at the end of the line or at a comment.
    ///
    /// - Throws: An error if the line is too long.
    mutating func nextByte() throws -> UInt8? {
        while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 {
            position += 1
            try checkLength()
        }
        guard position < bytes.count, !Self.endsLine(bytes[position]) else { return nil }
        return bytes[position]
    }

    /// Moves to the next line, skipping the rest of the current one.
    mutating func skipLine() throws {
        while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D {
            position += 1
            try checkLength()
        }
        if position + 1 < bytes.count, bytes[position] == 0x0D, bytes[position + 1] == 0x0A {
            position += 1
        }
        position += 1
        line += 1
        startOfLine = position
    }

    /// Reads up to the next space. Returns an empty string at the end of the line. Bytes that are not visible ASCII are
    /// replaced with "?".
    mutating func word() throws -> String {
        guard try nextByte() != nil else { return "" }
        let start = position
        while position < bytes.count, !Self.endsWord(bytes[position]) {
            position += 1
            try checkLength()
        }
        let visible = bytes[start..<position].map { 0x21...0x7E ~= $0 ? $0 : 0x3F }
        return String(decoding: visible, as: UTF8.self)
    }

    /// Reads a decimal number.
    ///
    /// - Returns: The number, or nil if the next word is not a finite number. The position is then within the word.
    mutating func number() throws -> Double? {
        guard let first = try nextByte() else { return nil }
        if first == 0x2B || first == 0x2D { position += 1 }
        var mantissa: UInt64 = 0
        var (exponent, digits, hasPoint) = (0, 0, false)
        while position < bytes.count {
            let byte = bytes[position]
            if byte &- 0x30 < 10 {
                digits += 1
                // Digits that do not fit into 64 bits do not change the result.
                if mantissa < 1_000_000_000_000_000_000 {
                    mantissa = mantissa * 10 + UInt64(byte &- 0x30)
                    if hasPoint { exponent -= 1 }
                } else if !hasPoint {
                    exponent += 1
                }
            } else if byte == 0x2E, !hasPoint {
                hasPoint = true
            } else {
                break
            }
            position += 1
        }
        try checkLength()
        guard digits > 0, let power = try exponentPart(),
            position >= bytes.count || Self.endsWord(bytes[position])
        else { return nil }
        let value = Self.scaled(Double(mantissa), by: exponent + power)
        guard value.isFinite else { return nil }
        return first == 0x2D ? -value : value
    }

    /// Reads an exponent such as "e-5". Returns 0 if there is none, and nil if it has no digits.
    private mutating func exponentPart() throws -> Int? {
        guard position < bytes.count, bytes[position] | 0x20 == 0x65 else { return 0 }
        position += 1
        let isNegative = position < bytes.count && bytes[position] == 0x2D
        if position < bytes.count, isNegative || bytes[position] == 0x2B { position += 1 }
        var (value, digits) = (0, 0)
        while position < bytes.count, bytes[position] &- 0x30 < 10 {
            value = min(value * 10 + Int(bytes[position] &- 0x30), 100_000)
            digits += 1
            position += 1
        }
        try checkLength()
        return digits == 0 ? nil : isNegative ? -value : value
    }

    /// The powers of ten that a double represents exactly.
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]

    private static func scaled(_ value: Double, by exponent: Int) -> Double {
        guard value > 0 else { return 0 }
        if exponent < 0 {
            return exponent >= -22 ? value / powers[-exponent] : value * pow(10, Double(exponent))
        }
        return value * (exponent <= 22 ? powers[exponent] : pow(10, Double(exponent)))
    }

    private func checkLength() throws {
        guard position - startOfLine > Self.longestLine else { return }
        throw EditingExtensionError.badTable(
            "the line is longer than \(Self.longestLine) bytes; this is not a .cube file",
            line: line)
    }

    /// Whether a byte ends the content of a line: LF, CR, or the # that starts a comment.
    private static func endsLine(_ byte: UInt8) -> Bool {
        byte == 0x0A || byte == 0x0D || byte == 0x23
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || endsLine(byte)
    }
}
