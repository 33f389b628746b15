// SPDX-License-Identifier: Apache-2.0

import GRDB

/// An operation on a collection. The raw values are those of PhotoKit's
/// `PHCollectionEditOperation`.
public enum CollectionEditOperation: Int, Hashable, Sendable, CaseIterable {
    /// Deletes the contents: its assets from the library, or its albums and folders.
    case deleteContent = 1
    /// Removes members from the collection. They stay in the library.
    case removeContent = 2
    /// Adds existing objects of the library to the collection.
    case addContent = 3
    /// Creates new objects in the collection.
    case createContent = 4
    /// Reorders the members.
    case rearrangeContent = 5
    /// Deletes the collection itself.
    case delete = 6
    /// Changes the title.
    case rename = 7
}

extension AssetCollection {
    /// Whether change requests for the operation exist for such a collection. An album supports all
    /// of them. For other collections, only the contents can be deleted. A collection that was
    /// deleted before it was read supports none. This tests the value alone; ``canPerform(_:in:)``
    /// queries the library.
    public func canPerform(_ operation: CollectionEditOperation) -> Bool {
        !isRemoved && (type == .album || operation == .deleteContent)
    }

    /// Whether a change request for the operation would currently succeed. This is
    /// ``canPerform(_:)``, but false in a read-only library and for an album that was deleted since
    /// it was fetched.
    ///
    /// - Throws: `LibraryError` if the library cannot be read.
    public func canPerform(
        _ operation: CollectionEditOperation, in library: PhotoLibrary
    ) throws -> Bool {
        guard canPerform(operation), !library.options.isReadOnly else { return false }
        return try type != .album || library.has(.album, localIdentifier)
    }
}

extension CollectionList {
    /// Whether change requests for the operation exist: all, unless the folder was deleted before
    /// it was read. This tests the value alone; ``canPerform(_:in:)`` queries the library.
    public func canPerform(_ operation: CollectionEditOperation) -> Bool { !isRemoved }

    /// Whether a change request for the operation would currently succeed. It would not in a
    /// read-only library or if the folder was deleted since it was fetched.
    ///
    /// - Throws: `LibraryError` if the library cannot be read.
    public func canPerform(
        _ operation: CollectionEditOperation, in library: PhotoLibrary
    ) throws -> Bool {
        guard canPerform(operation), !library.options.isReadOnly else { return false }
        return try library.has(.folder, localIdentifier)
    }
}

extension PhotoCollection {
    /// Whether change requests for the operation exist for such a collection; see
    /// ``AssetCollection/canPerform(_:)`` and ``CollectionList/canPerform(_:)``.
    public func canPerform(_ operation: CollectionEditOperation) -> Bool {
        switch self {
        case .assetCollection(let collection): collection.canPerform(operation)
        case .collectionList(let list): list.canPerform(operation)
        }
    }

    /// Whether a change request for the operation would currently succeed; see
    /// ``AssetCollection/canPerform(_:in:)`` and ``CollectionList/canPerform(_:in:)``.
    ///
    /// - Throws: `LibraryError` if the library cannot be read.
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
    /// Whether the library has an album or a folder with this identifier.
    fileprivate func has(_ kind: CollectionKind, _ identifier: String) throws -> Bool {
        try read { database in
            try database.value(
                "SELECT EXISTS (SELECT 1 FROM collection WHERE uuid = ? AND kind = ?)",
                [identifier, kind.rawValue]) ?? false
        }
    }
}
