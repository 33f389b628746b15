// SPDX-License-Identifier: Apache-2.0

import GRDB

/// What can be done to a collection. The raw values are those of PhotoKit's
/// `PHCollectionEditOperation`.
public enum CollectionEditOperation: Int, Hashable, Sendable, CaseIterable {
    /// Deleting what is in it: its assets from the library, or its albums and folders.
    case deleteContent = 1
    /// Taking out of it what is in it, which stays in the library.
    case removeContent = 2
    /// Putting into it what the library has.
    case addContent = 3
    /// Making something new in it.
    case createContent = 4
    /// Giving what is in it another order.
    case rearrangeContent = 5
    /// Deleting it.
    case delete = 6
    /// Giving it another title.
    case rename = 7
}

extension AssetCollection {
    /// Whether change requests for this operation are there for such a collection: all for an album.
    /// What other collections have in them can only be deleted. Nothing can be done to one that had
    /// been deleted when it was read. This looks at nothing but the value;
    /// ``canPerform(_:in:)`` asks the library.
    public func canPerform(_ operation: CollectionEditOperation) -> Bool {
        !isRemoved && (type == .album || operation == .deleteContent)
    }

    /// Whether a change request for this operation would be carried out now: as
    /// ``canPerform(_:)``, but never in a library that is open for reading only, nor to an album
    /// that has been deleted since it was fetched.
    ///
    /// - Throws: `LibraryError` where the library cannot be read.
    public func canPerform(
        _ operation: CollectionEditOperation, in library: PhotoLibrary
    ) throws -> Bool {
        guard canPerform(operation), !library.options.isReadOnly else { return false }
        return try type != .album || library.has(.album, localIdentifier)
    }
}

extension CollectionList {
    /// Whether change requests for this operation are there: all, unless the folder had been deleted
    /// when it was read. This looks at nothing but the value; ``canPerform(_:in:)`` asks the library.
    public func canPerform(_ operation: CollectionEditOperation) -> Bool { !isRemoved }

    /// Whether a change request for this operation would be carried out now: never in a library that
    /// is open for reading only, nor to a folder that has been deleted since it was fetched.
    ///
    /// - Throws: `LibraryError` where the library cannot be read.
    public func canPerform(
        _ operation: CollectionEditOperation, in library: PhotoLibrary
    ) throws -> Bool {
        guard canPerform(operation), !library.options.isReadOnly else { return false }
        return try library.has(.folder, localIdentifier)
    }
}

extension PhotoCollection {
    /// Whether change requests for this operation are there for such a collection; see
    /// ``AssetCollection/canPerform(_:)`` and ``CollectionList/canPerform(_:)``.
    public func canPerform(_ operation: CollectionEditOperation) -> Bool {
        switch self {
        case .assetCollection(let collection): collection.canPerform(operation)
        case .collectionList(let list): list.canPerform(operation)
        }
    }

    /// Whether a change request for this operation would be carried out now; see
    /// ``AssetCollection/canPerform(_:in:)`` and ``CollectionList/canPerform(_:in:)``.
    ///
    /// - Throws: `LibraryError` where the library cannot be read.
    public func canPerform(
        _ operation: CollectionEditOperation, in library: PhotoLibrary
    ) throws -> Bool {
        switch self {
        case .assetCollection(let collection): try collection.canPerform(operation, in: library)
        case .collectionList(let list): try list.canPerform(operation, in: library)
        }
    }
}

extension PhotoLibrary {
    /// Whether there is an album or a folder of this identifier.
    fileprivate func has(_ kind: CollectionKind, _ identifier: String) throws -> Bool {
        try read { database in
            try database.value(
                "SELECT EXISTS (SELECT 1 FROM collection WHERE uuid = ? AND kind = ?)",
                [identifier, kind.rawValue]) ?? false
        }
    }
}
