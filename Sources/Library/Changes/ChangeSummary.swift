// SPDX-License-Identifier: Apache-2.0

import FileAccess
import FoundationEssentials
import Synchronization

/// The objects that a change block is about to change, for the authorisation hook.
public struct ChangeSummary: Hashable, Sendable {
    /// The identifiers of assets to be created.
    public internal(set) var inserted: [String] = []
    /// The identifiers of assets whose metadata or content will change, or that will be restored
    /// from the trash.
    public internal(set) var updated: [String] = []
    /// The identifiers of assets to be moved to the trash or removed for good.
    public internal(set) var removed: [String] = []
    /// The identifiers of albums and folders to be created.
    public internal(set) var insertedCollections: [String] = []
    /// The identifiers of albums and folders whose properties or members will change.
    public internal(set) var updatedCollections: [String] = []
    /// The identifiers of albums and folders to be deleted, excluding their descendants.
    public internal(set) var removedCollections: [String] = []

    /// The contents of `updated`, for constant-time lookup: a block may change thousands of assets.
    private var known: Set<String> = []

    mutating func addUpdated(_ identifier: String) {
        if known.insert(identifier).inserted { updated.append(identifier) }
    }

    /// Adds a collection, unless the block also creates it.
    mutating func addUpdatedCollection(_ identifier: String) {
        if !updatedCollections.contains(identifier), !insertedCollections.contains(identifier) {
            updatedCollections.append(identifier)
        }
    }
}
