// SPDX-License-Identifier: Apache-2.0

/// The objects of one type affected by a change.
public struct PersistentObjectChangeDetails: Hashable, Sendable {
    /// The type of all listed objects.
    public let objectType: PersistentChange.ObjectType
    /// The identifiers of created objects.
    public let insertedLocalIdentifiers: Set<String>
    /// The identifiers of modified objects, including those that were hidden or unhidden.
    public let updatedLocalIdentifiers: Set<String>
    /// The identifiers of deleted objects.
    public let deletedLocalIdentifiers: Set<String>
}
