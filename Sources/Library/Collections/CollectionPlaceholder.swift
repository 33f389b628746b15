// SPDX-License-Identifier: Apache-2.0

/// Stands for an album or a folder that a change block is about to make.
public struct CollectionPlaceholder: Hashable, Sendable {
    /// The identifier that the collection will have.
    public let localIdentifier: String
}
