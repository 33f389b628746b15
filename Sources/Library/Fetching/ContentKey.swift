// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Hashing

/// A hash of everything that the pictures and videos of an asset depend on: its original and
/// companions with what is known about their encoding, its states, versions and their renditions,
/// and its current state.
///
/// Every edit, undo, redo and change of a rendition gives a new key, so data cached under a key
/// never becomes stale. Metadata such as titles and ratings is not included. A state whose picture
/// is not stored also depends on the extensions that render it; see
/// ``FetchResult/contentKeys(at:seed:extensions:)``.
public struct ContentKey: Hashable, Sendable, LosslessStringConvertible {
    /// The key as 32 hexadecimal digits.
    public let description: String

    /// Creates a key from its text; nil if it is malformed.
    public init?(_ description: String) {
        guard description.utf8.count == Self.length,
            description.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
            )
        else { return nil }
        self.description = description
    }

    private static let length = 32

    init(hashing text: String) {
        let digits = Array("0123456789abcdef".utf8)
        let bytes = SHA256.hash(data: Data(text.utf8)).prefix(Self.length / 2)
        description = String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
