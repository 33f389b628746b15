// SPDX-License-Identifier: Apache-2.0

/// A place in the history of one library's changes: after the change of this number.
///
/// It can be kept as text over restarts, and given to
/// ``PhotoLibrary/fetchPersistentChanges(since:)`` by any process.
public struct ChangeToken: Hashable, Sendable, Comparable, LosslessStringConvertible {
    /// The number of the change; 0 is before the first.
    let number: Int64
    /// The identifier of the library that it belongs to.
    let library: String

    init(number: Int64, library: String) {
        self.number = number
        self.library = library
    }

    /// Reads a token from its text; nil where the text is none.
    public init?(_ description: String) {
        let parts = description.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int64(parts[0]), number >= 0,
            Asset.isIdentifier(String(parts[1]))
        else { return nil }
        self.init(number: number, library: String(parts[1]))
    }

    /// Whether the left one is earlier. Tokens of different libraries have no meaningful order.
    public static func < (left: ChangeToken, right: ChangeToken) -> Bool {
        (left.number, left.library) < (right.number, right.library)
    }

    /// The token as text: the number, `@`, and the library's identifier.
    public var description: String { "\(number)@\(library)" }
}
