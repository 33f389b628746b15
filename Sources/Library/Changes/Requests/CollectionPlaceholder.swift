// SPDX-License-Identifier: Apache-2.0

extension CollectionPlaceholder: CollectionReference {}

/// A placeholder for an album or folder that a change block creates.
public struct CollectionPlaceholder: Hashable, Sendable {
    /// The identifier that the collection will have.
    public let localIdentifier: String
}
