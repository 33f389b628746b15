// SPDX-License-Identifier: Apache-2.0

/// What an import did besides the results of its files.
public struct ImportOutcome: Hashable, Sendable {
    /// The number of albums made from folders.
    public let albumCount: Int
    /// The number of rejected files that the library does not remember, because it remembers too many already.
    public let unrememberedCount: Int
}
