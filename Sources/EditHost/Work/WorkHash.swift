// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Hashing

/// A SHA-256 in the files of a work folder, encoded as 64 hexadecimal digits.
package struct WorkHash: Codable, Hashable, Sendable, CustomStringConvertible {
    /// The hash.
    package let digest: SHA256Digest

    package init(_ digest: SHA256Digest) { self.digest = digest }

    /// Computes the hash of bytes.
    package init(of data: Data) { digest = SHA256Digest(bytes: SHA256.hash(data: data)) }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let digest = SHA256Digest(hex: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "is not a SHA-256")
        }
        self.digest = digest
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(digest.hex)
    }

    /// The hash as 64 hexadecimal digits.
    package var hex: String { digest.hex }
    package var description: String { digest.hex }
}
