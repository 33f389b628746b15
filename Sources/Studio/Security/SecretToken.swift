// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Hashing

/// A random secret of 256 bits: a login token, the value of a cookie or a bearer token.
package struct SecretToken: Sendable {
    /// The secret as 64 hexadecimal digits.
    package let text: String

    /// Creates a new secret.
    package init() {
        var generator = SystemRandomNumberGenerator()
        text = (0..<4).map { _ in Self.hexadecimal(generator.next()) }.joined()
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The hash of the secret, which may be stored and compared.
    package var digest: String { Self.digest(of: text) }

    /// Returns the hash of a text that a request presents as a secret. The time of looking up a hash reveals nothing
    /// about the secret.
    package static func digest(of text: String) -> String {
        SHA256Digest(bytes: SHA256.hash(data: Data(text.utf8))).hex
    }
}
