// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Library

/// Shortened identifiers for messages.
enum ShortIdentifier {
    private static let length = 8

    /// Returns the prefix of an identifier.
    static func of(_ identifier: String) -> String { String(identifier.prefix(length)) }

    /// Returns the prefixes of identifiers, or whole identifiers if prefixes collide.
    static func all(of identifiers: [String]) -> [String] {
        let counts = Dictionary(identifiers.map { (of($0), 1) }, uniquingKeysWith: +)
        return identifiers.map { counts[of($0), default: 0] > 1 ? $0 : of($0) }
    }
}
