// SPDX-License-Identifier: Apache-2.0

/// The changes of one object.
public struct ObjectChangeDetails<Object: Sendable>: Sendable {
    /// The object passed by the caller, unchanged.
    public let objectBeforeChanges: Object
    /// The current version of the object; nil if it was deleted.
    public let objectAfterChanges: Object?
    /// True if the pixels of an asset or the members of a collection changed, and not only
    /// metadata.
    public let assetContentChanged: Bool

    /// True if the object was deleted.
    public var objectWasDeleted: Bool { objectAfterChanges == nil }
}
