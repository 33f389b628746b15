// SPDX-License-Identifier: Apache-2.0

/// The SHA-256 of some bytes: the name of a blob, of an extension's binary, of a rendition's key.
public struct SHA256Digest: Codable, Hashable, Sendable, CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    public let hex: String

    /// Takes 64 lower-case hexadecimal digits; nil for anything else.
    public init?(hex: String) {
        guard hex.utf8.count == 64,
            hex.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.hex = hex
    }

    /// Takes the 32 bytes that a hash function gave.
    ///
    /// - Precondition: there are 32 bytes.
    public init(bytes: some Sequence<UInt8>) {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        precondition(text.count == 64, "a SHA-256 has 32 bytes")
        hex = String(decoding: text, as: UTF8.self)
    }

    /// The hexadecimal digits.
    public var description: String { hex }
}
