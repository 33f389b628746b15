// SPDX-License-Identifier: Apache-2.0

/// What a change block is about to do, for the authorisation hook.
public struct ChangeSummary: Hashable, Sendable {
    /// The identifiers of assets that will be made.
    public internal(set) var inserted: [String] = []
    /// The identifiers of assets whose metadata or content will be changed.
    public internal(set) var updated: [String] = []
    /// The identifiers of assets that will be deleted.
    public internal(set) var removed: [String] = []
    /// The identifiers of albums and folders that will be made.
    public internal(set) var insertedCollections: [String] = []
    /// The identifiers of albums and folders that will be changed: their own properties, or what
    /// is in them.
    public internal(set) var updatedCollections: [String] = []
    /// The identifiers of albums and folders that will be deleted, without those in them.
    public internal(set) var removedCollections: [String] = []

    /// What `updated` has: a block may change thousands.
    private var known: Set<String> = []

    mutating func addUpdated(_ identifier: String) {
        if known.insert(identifier).inserted { updated.append(identifier) }
    }

    /// One that the block makes is not an updated one.
    mutating func addUpdatedCollection(_ identifier: String) {
        if !updatedCollections.contains(identifier), !insertedCollections.contains(identifier) {
            updatedCollections.append(identifier)
        }
    }
}
