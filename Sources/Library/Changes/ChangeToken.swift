// SPDX-License-Identifier: Apache-2.0

/// A position in the change history of one library.
///
/// A token can be stored as text, kept across restarts, and passed to
/// ``PhotoLibrary/fetchPersistentChanges(since:)`` by any process.
public struct ChangeToken: Hashable, Sendable, Comparable, LosslessStringConvertible {
    /// The number of the change that precedes this position; 0 before the first change.
    let number: Int64
    /// The identifier of the library that the token belongs to.
    let library: String

    init(number: Int64, library: String) {
        self.number = number
        self.library = library
    }

    /// Parses the textual form of a token; nil if it is malformed.
    public init?(_ description: String) {
        let parts = description.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int64(parts[0]), number >= 0,
            Asset.isIdentifier(String(parts[1]))
        else { return nil }
        self.init(number: number, library: String(parts[1]))
    }

    /// Compares positions in one library. The order of tokens of different libraries is
    /// unspecified.
    public static func < (left: ChangeToken, right: ChangeToken) -> Bool {
        (left.number, left.library) < (right.number, right.library)
    }

    /// The textual form: the change number, `@`, and the library's identifier.
    public var description: String { "\(number)@\(library)" }
}
