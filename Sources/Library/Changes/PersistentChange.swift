// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// One committed change block, as recorded in the library's history.
public struct PersistentChange: Hashable, Sendable {
    /// One asset or collection affected by the change.
    package struct Item: Hashable, Sendable {
        /// Whether the object was inserted, updated or removed.
        package let kind: Kind
        /// The type of the object: asset or collection.
        package let objectType: ObjectType
        /// The object's local identifier.
        package let identifier: String
        /// Whether the pixels of an asset or the members of a collection changed.
        package let isContentChange: Bool
        /// Whether anything other than the content changed.
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
        /// A photograph or video.
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

/// The objects of one type affected by a change.
public struct PersistentObjectChangeDetails: Hashable, Sendable {
    /// The type of all listed objects.
    public let objectType: PersistentChange.ObjectType
    /// The identifiers of created objects.
    public let insertedLocalIdentifiers: Set<String>
    /// The identifiers of objects that were modified, hidden or unhidden.
    public let updatedLocalIdentifiers: Set<String>
    /// The identifiers of deleted objects.
    public let deletedLocalIdentifiers: Set<String>
}

/// A position in the change history of one library.
///
/// A token can be stored as text, kept across restarts, and passed to
/// ``PhotoLibrary/fetchPersistentChanges(since:)`` by any process.
public struct ChangeToken: Hashable, Sendable, Comparable, LosslessStringConvertible {
    /// The number of the change that precedes this position; 0 before the first change.
    let number: Int64
    /// The identifier of the library that the token belongs to.
    let library: String

    init(number: Int64, library: String) {
        self.number = number
        self.library = library
    }

    /// Parses the textual form of a token; nil if it is malformed.
    public init?(_ description: String) {
        let parts = description.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int64(parts[0]), number >= 0,
            Asset.isIdentifier(String(parts[1]))
        else { return nil }
        self.init(number: number, library: String(parts[1]))
    }

    /// Compares positions in one library. The order of tokens of different libraries is
    /// unspecified.
    public static func < (left: ChangeToken, right: ChangeToken) -> Bool {
        (left.number, left.library) < (right.number, right.library)
    }

    /// The textual form: the change number, `@`, and the library's identifier.
    public var description: String { "\(number)@\(library)" }
}
