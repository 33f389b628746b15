// SPDX-License-Identifier: Apache-2.0

/// A request to create or change a folder. Create it inside ``PhotoLibrary/performChanges(_:)``.
///
/// Steps are executed in the order of the calls, and an index refers to the folder at that step. A
/// collection has exactly one parent, a folder or the top level. Adding it to another folder moves
/// it.
public final class CollectionListChangeRequest: Sendable {
    /// The local identifier of the folder; nil for the top level.
    public var collectionIdentifier: String? { change.identifier }
    /// The placeholder of the folder that this request creates; nil if it changes an existing one.
    public let placeholderForCreatedCollectionList: CollectionPlaceholder?
    private let change: CollectionChange

    /// Creates a request for a new folder, the last one in its parent folder.
    ///
    /// - Parameters:
    ///   - title: The title, at least one character. Titles need not be unique.
    ///   - folder: The parent folder; nil for the top level.
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws `invalidRequest`
    ///   for a title that cannot be stored, or `noSuchCollection`.
    public init(
        creatingWithTitle title: String, in folder: (any CollectionReference)? = nil
    ) throws {
        let placeholder = CollectionPlaceholder()
        change = try CollectionChange(creating: .folder, placeholder, title: title, in: folder)
        placeholderForCreatedCollectionList = placeholder
    }

    /// Creates a request for a new folder. PhotoKit's name for ``init(creatingWithTitle:in:)``.
    ///
    /// - Throws: The same errors as ``init(creatingWithTitle:in:)``.
    public static func creationRequestForCollectionList(
        withTitle title: String
    ) throws -> CollectionListChangeRequest {
        try CollectionListChangeRequest(creatingWithTitle: title)
    }

    /// Creates a request to change a folder.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public init(for list: CollectionList) throws {
        change = try CollectionChange(.folder, list.localIdentifier, title: list.title)
        placeholderForCreatedCollectionList = nil
    }

    /// Creates a request to change a folder that the same block creates.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public init(for placeholder: CollectionPlaceholder) throws {
        change = try CollectionChange(.folder, placeholder.localIdentifier)
        placeholderForCreatedCollectionList = nil
    }

    /// Creates a request to change the top level, which has no title.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public static func forTopLevelUserCollections() throws -> CollectionListChangeRequest {
        CollectionListChangeRequest(try CollectionChange(.folder, nil))
    }

    private init(_ change: CollectionChange) {
        self.change = change
        placeholderForCreatedCollectionList = nil
    }

    /// Requests the deletion of folders with all their descendants. Assets stay in the library.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws
    ///   `noSuchCollection` if one does not exist.
    public static func deleteCollectionLists(_ lists: some Sequence<CollectionList>) throws {
        try ChangeBlock.current()
            .add(
                CollectionDeletionRequest(
                    kind: .folder, identifiers: lists.map(\.localIdentifier)))
    }

    /// The title of the folder, at least one character.
    public var title: String {
        get { change.title }
        set { change.title = newValue }
    }

    /// Moves albums and folders to the end of this folder. Those already in this folder keep their
    /// positions.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws
    ///   `noSuchCollection`, and `folderInItself` if this folder would become its own descendant.
    public func addChildCollections(_ collections: [any CollectionReference]) throws {
        try change.add(.add(collections.map(\.localIdentifier)))
    }

    /// Moves albums and folders to ascending indexes in this folder, one for each. Each index is
    /// the final index of its collection. Those already in this folder keep their positions, and
    /// their indexes are ignored.
    ///
    /// - Throws: The errors of ``addChildCollections(_:)``. `performChanges` throws
    ///   `invalidRequest` for invalid indexes.
    public func insertChildCollections(
        _ collections: [any CollectionReference], at indexes: [Int]
    ) throws {
        try change.add(.insert(collections.map(\.localIdentifier), indexes: indexes))
    }

    /// Moves albums and folders to the end of the top level. Those that are not in this folder are
    /// ignored.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws `invalidRequest`
    ///   if this request is for the top level.
    public func removeChildCollections(_ collections: [any CollectionReference]) throws {
        try change.add(.remove(collections.map(\.localIdentifier)))
    }

    /// Moves the albums and folders at these indexes to the end of the top level.
    ///
    /// - Throws: The errors of ``removeChildCollections(_:)``. `performChanges` throws
    ///   `invalidRequest` for an out-of-range index.
    public func removeChildCollections(at indexes: [Int]) throws {
        try change.add(.removeAt(indexes))
    }

    /// Moves the albums and folders at these indexes, in folder order. The first of them is
    /// inserted at `index`, counted in the folder without them.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws `invalidRequest`
    ///   for an out-of-range index.
    public func moveChildCollections(at indexes: [Int], to index: Int) throws {
        try change.add(.move(indexes, destination: index))
    }
}
