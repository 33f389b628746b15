// SPDX-License-Identifier: Apache-2.0

/// A SHA-256 digest, which identifies a blob, an extension's binary or a rendition key.
public struct SHA256Digest: Codable, Hashable, Sendable, CustomStringConvertible {
    /// The digest as 64 lowercase hexadecimal digits.
    public let hex: String

    /// Creates a digest from 64 lowercase hexadecimal digits; `nil` for any other text.
    public init?(hex: String) {
        guard hex.utf8.count == 64,
            hex.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.hex = hex
    }

    /// Creates a digest from the 32 bytes of a hash function.
    ///
    /// - Precondition: `bytes` has 32 elements.
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

    /// The digest as hexadecimal digits.
    public var description: String { hex }
}
