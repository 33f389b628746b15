// SPDX-License-Identifier: Apache-2.0

/// A place in the library's history of changes: after the change of this number.
public struct ChangeToken: Codable, Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The number of the change; 0 is before the first.
    public let rawValue: Int64

    /// Makes a token from a number that was printed before.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Whether the left one is earlier.
    public static func < (left: ChangeToken, right: ChangeToken) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The number.
    public var description: String { String(rawValue) }
}
