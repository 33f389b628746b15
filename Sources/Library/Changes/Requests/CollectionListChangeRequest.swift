// SPDX-License-Identifier: Apache-2.0

/// Asks for a new folder, or for changes to one. Make it inside
/// ``PhotoLibrary/performChanges(_:)``.
///
/// What it is asked for is done in that order, and an index counts the folder's albums and
/// folders as they are when its turn comes. A collection lies in one folder, or at the top;
/// adding it to another moves it.
public final class CollectionListChangeRequest: Sendable {
    /// The folder's identifier; nil for the top of the library.
    public var collectionIdentifier: String? { change.identifier }
    /// Stands for the folder that this request makes; nil where it changes one.
    public let placeholderForCreatedCollectionList: CollectionPlaceholder?
    private let change: CollectionChange

    /// Asks for a new folder, the last one in its folder.
    ///
    /// - Parameters:
    ///   - title: Its title, at least one character; there may be others of the same.
    ///   - folder: Where it will lie; nil for the top.
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws
    ///   `invalidRequest` for a title that cannot be stored, `noSuchCollection`.
    public init(
        creatingWithTitle title: String, in folder: (any CollectionReference)? = nil
    ) throws {
        let placeholder = CollectionPlaceholder()
        change = try CollectionChange(creating: .folder, placeholder, title: title, in: folder)
        placeholderForCreatedCollectionList = placeholder
    }

    /// PhotoKit's name of ``init(creatingWithTitle:in:)``.
    ///
    /// - Throws: As that.
    public static func creationRequestForCollectionList(
        withTitle title: String
    ) throws -> CollectionListChangeRequest {
        try CollectionListChangeRequest(creatingWithTitle: title)
    }

    /// Asks for changes to a folder.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public init(for list: CollectionList) throws {
        change = try CollectionChange(.folder, list.localIdentifier, title: list.title)
        placeholderForCreatedCollectionList = nil
    }

    /// Asks for changes to a folder that the same block has made.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public init(for placeholder: CollectionPlaceholder) throws {
        change = try CollectionChange(.folder, placeholder.localIdentifier)
        placeholderForCreatedCollectionList = nil
    }

    /// Asks for changes to what lies in no folder. The top has no title.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public static func forTopLevelUserCollections() throws -> CollectionListChangeRequest {
        CollectionListChangeRequest(try CollectionChange(.folder, nil))
    }

    private init(_ change: CollectionChange) {
        self.change = change
        placeholderForCreatedCollectionList = nil
    }

    /// Asks for folders to be deleted, with all albums and folders in them. Assets stay in the
    /// library.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws
    ///   `noSuchCollection` where one is not there.
    public static func deleteCollectionLists(_ lists: some Sequence<CollectionList>) throws {
        try ChangeBlock.current()
            .add(
                CollectionDeletionRequest(
                    kind: .folder, identifiers: lists.map(\.localIdentifier)))
    }

    /// The title.
    public var title: String {
        get { change.title }
        set { change.title = newValue }
    }

    /// Asks for albums and folders to be put at the end, from wherever they lie. Those that are
    /// in this folder already stay where they are.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws
    ///   `noSuchCollection`, and `folderInItself` for a folder that this one is, or lies in.
    public func addChildCollections(_ collections: [any CollectionReference]) throws {
        try change.add(.add(collections.map(\.localIdentifier)))
    }

    /// Asks for albums and folders to be put where they then have these indexes, one for each and
    /// ascending. Those that are in this folder already stay where they are, and their indexes do
    /// not count.
    ///
    /// - Throws: as ``addChildCollections(_:)``; `performChanges` throws `invalidRequest` for
    ///   indexes that cannot be.
    public func insertChildCollections(
        _ collections: [any CollectionReference], at indexes: [Int]
    ) throws {
        try change.add(.insert(collections.map(\.localIdentifier), indexes: indexes))
    }

    /// Asks for albums and folders to be put at the end of the top. One that is not in this folder
    /// is no error.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws
    ///   `invalidRequest` for the top itself.
    public func removeChildCollections(_ collections: [any CollectionReference]) throws {
        try change.add(.remove(collections.map(\.localIdentifier)))
    }

    /// Asks for the albums and folders at these indexes to be put at the end of the top.
    ///
    /// - Throws: as ``removeChildCollections(_:)``; `performChanges` throws `invalidRequest` for
    ///   an index that the folder does not have.
    public func removeChildCollections(at indexes: [Int]) throws {
        try change.add(.removeAt(indexes))
    }

    /// Asks for the albums and folders at these indexes to be taken out and put in again, in the
    /// order in which they were, the first of them at an index of the folder without them.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws
    ///   `invalidRequest` for an index that the folder does not have.
    public func moveChildCollections(at indexes: [Int], to index: Int) throws {
        try change.add(.move(indexes, destination: index))
    }
}
