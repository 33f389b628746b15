// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// A digest that is encoded as its hexadecimal digits.
@propertyWrapper
package struct HexDigest: Codable, Hashable, Sendable {
    package var wrappedValue: SHA256Digest

    package init(wrappedValue: SHA256Digest) { self.wrappedValue = wrappedValue }

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        // Earlier versions stored the digests of failures as objects.
        let hex = try (try? value.decode(String.self)) ?? value.decode(SHA256Digest.self).hex
        guard let digest = SHA256Digest(hex: hex) else {
            throw DecodingError.dataCorruptedError(
                in: value, debugDescription: "is not a SHA-256 digest")
        }
        wrappedValue = digest
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(wrappedValue.hex)
    }
}
