// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// One committed change block: an entry of the library's history.
public struct PersistentChange: Hashable, Sendable {
    /// One asset or collection that the change concerned.
    package struct Item: Hashable, Sendable {
        /// What happened to it.
        package let kind: Kind
        /// Whether it is an asset or a collection.
        package let objectType: ObjectType
        /// Its identifier.
        package let identifier: String
        /// Whether the pixels of an asset changed, or the members of a collection.
        package let isContentChange: Bool
        /// Whether something else of it changed.
        package let isMetadataChange: Bool
    }

    /// What happened to an object.
    package enum Kind: String, Hashable, Sendable {
        /// It is new.
        case inserted
        /// It changed.
        case updated
        /// It is gone.
        case removed
    }

    /// What can change. The raw values are the names of the tables.
    public enum ObjectType: String, Hashable, Sendable {
        /// An asset.
        case asset
        /// An album or folder.
        case collection
    }

    /// The place in history after this change.
    public let token: ChangeToken
    /// When it was committed.
    public let date: Date
    /// What it concerned, each object once.
    package let items: [Item]

    /// What happened to the objects of one type.
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

/// Which objects of one type a change concerned.
public struct PersistentObjectChangeDetails: Hashable, Sendable {
    /// The type.
    public let objectType: PersistentChange.ObjectType
    /// The identifiers of those that are new.
    public let insertedLocalIdentifiers: Set<String>
    /// The identifiers of those that changed, or were hidden or shown.
    public let updatedLocalIdentifiers: Set<String>
    /// The identifiers of those that are gone.
    public let deletedLocalIdentifiers: Set<String>
}

/// A place in the history of one library's changes: after the change of this number.
///
/// It can be kept as text over restarts, and given to
/// ``PhotoLibrary/fetchPersistentChanges(since:)`` by any process.
public struct ChangeToken: Hashable, Sendable, Comparable, LosslessStringConvertible {
    /// The number of the change; 0 is before the first.
    let number: Int64
    /// The identifier of the library that it belongs to.
    let library: String

    init(number: Int64, library: String) {
        self.number = number
        self.library = library
    }

    /// Reads a token from its text; nil where the text is none.
    public init?(_ description: String) {
        let parts = description.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int64(parts[0]), number >= 0,
            Asset.isIdentifier(String(parts[1]))
        else { return nil }
        self.init(number: number, library: String(parts[1]))
    }

    /// Whether the left one is earlier. Tokens of different libraries have no meaningful order.
    public static func < (left: ChangeToken, right: ChangeToken) -> Bool {
        (left.number, left.library) < (right.number, right.library)
    }

    /// The token as text: the number, `@`, and the library's identifier.
    public var description: String { "\(number)@\(library)" }
}
