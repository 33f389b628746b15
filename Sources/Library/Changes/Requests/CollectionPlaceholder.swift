// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

extension CollectionPlaceholder: CollectionReference {}

/// A placeholder for an album or folder that a change block creates.
public struct CollectionPlaceholder: Hashable, Sendable {
    /// The identifier that the collection will have.
    public let localIdentifier: String
}

extension CollectionPlaceholder {
    /// Creates a placeholder with a new identifier.
    init() { localIdentifier = UUID().uuidString.lowercased() }
}
