// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// One committed change block, as recorded in the library's history.
public struct PersistentChange: Hashable, Sendable {
    /// One asset or collection affected by the change.
    package struct Item: Hashable, Sendable {
        /// The effect of the change on the object: inserted, updated or removed.
        package let kind: Kind
        /// The type of the object: asset or collection.
        package let objectType: ObjectType
        /// The object's local identifier.
        package let identifier: String
        /// True if the pixels of an asset or the members of a collection changed.
        package let isContentChange: Bool
        /// True if anything other than the content changed.
        package let isMetadataChange: Bool
    }

    /// The effect of a change on an object.
    package enum Kind: String, Hashable, Sendable {
        /// The object was created.
        case inserted
        /// The object was modified.
        case updated
        /// The object was deleted.
        case removed
    }

    /// The types of objects recorded in the history. The raw values are the names of the tables.
    public enum ObjectType: String, Hashable, Sendable {
        /// A photo or video.
        case asset
        /// An album or folder.
        case collection
    }

    /// The token of the position in the history after this change.
    public let token: ChangeToken
    /// The date of the commit.
    public let date: Date
    /// The affected objects, each listed once.
    package let items: [Item]

    /// Returns the identifiers of the affected objects of one type, grouped by effect.
    public func changeDetails(for type: ObjectType) -> PersistentObjectChangeDetails {
        func identifiers(_ kind: Kind) -> Set<String> {
            Set(items.filter { $0.objectType == type && $0.kind == kind }.map(\.identifier))
        }
        return PersistentObjectChangeDetails(
            objectType: type, insertedLocalIdentifiers: identifiers(.inserted),
            updatedLocalIdentifiers: identifiers(.updated),
            deletedLocalIdentifiers: identifiers(.removed))
    }
}
