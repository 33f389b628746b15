// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hashing

/// The public key of a publisher of extensions, in the format of minisign.
package struct PublisherKey: Hashable, Sendable {
    /// The key as minisign prints it: 56 characters of base64.
    package let text: String
    /// The eight bytes that signatures name the key by.
    let identifier: [UInt8]
    /// The Ed25519 public key.
    let bytes: [UInt8]

    /// Reads a key.
    ///
    /// - Parameter text: The base64 text, or a file of minisign, which has a comment before it.
    package init?(_ text: String) {
        guard let line = MinisignText.lines(text).first(where: { !MinisignText.isComment($0) }),
            let data = Data(base64Encoded: line), data.count == 42,
            data.starts(with: Array("Ed".utf8))
        else { return nil }
        self.text = line
        identifier = Array(data[2..<10])
        bytes = Array(data[10...])
    }

    init?(identifier: [UInt8], bytes: [UInt8]) {
        self.init(Data(Array("Ed".utf8) + identifier + bytes).base64EncodedString())
    }

    /// The name of the key as minisign prints it: 16 hexadecimal digits.
    package var name: String { Self.name(of: identifier) }

    static func name(of identifier: [UInt8]) -> String {
        identifier.reversed().map {
            let digits = String($0, radix: 16, uppercase: true)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}

extension PublisherKey: Codable {
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        guard let key = PublisherKey(try value.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: value, debugDescription: "must be a public key of minisign")
        }
        self = key
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(text)
    }
}
