// SPDX-License-Identifier: Apache-2.0

/// What a change block is about to do, for the authorisation hook.
public struct ChangeSummary: Hashable, Sendable {
    /// The identifiers of assets that will be made.
    public internal(set) var inserted: [String] = []
    /// The identifiers of assets whose metadata or content will be changed.
    public internal(set) var updated: [String] = []
    /// The identifiers of assets that will be deleted.
    public internal(set) var removed: [String] = []

    mutating func addUpdated(_ identifier: String) {
        if !updated.contains(identifier) { updated.append(identifier) }
    }
}
