// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Synchronization

/// Asks for a new folder, or for changes to one. Make it inside
/// ``PhotoLibrary/performChanges(_:)``.
///
/// What it is asked for is done in that order, and an index counts the folder's albums and
/// folders as they are when its turn comes. A collection lies in one folder, or at the top;
/// adding it to another moves it.
public final class CollectionListChangeRequest: Sendable {
    /// What is to happen to the folder.
    enum Step: Sendable {
        case create(title: String, folder: String?)
        case title(String)
        case add([String])
        case insert([String], indexes: [Int])
        case remove([String])
        case removeAt([Int])
        case move([Int], destination: Int)
    }

    private struct State {
        var steps: [Step] = []
        var title: String
    }

    /// The folder's identifier; nil for the top of the library.
    public let collectionIdentifier: String?
    /// Stands for the folder that this request makes; nil where it changes one.
    public let placeholderForCreatedCollectionList: CollectionPlaceholder?
    private let state: Mutex<State>
    private let block: ChangeBlock

    /// Asks for a new folder, the last one in its folder.
    ///
    /// - Parameters:
    ///   - title: Its title, at least one character; there may be others of the same.
    ///   - folder: Where it will lie; nil for the top.
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws
    ///   `invalidRequest` for a title that cannot be stored, `noSuchCollection`.
    public convenience init(
        creatingWithTitle title: String, in folder: (any CollectionReference)? = nil
    ) throws {
        let identifier = UUID().uuidString.lowercased()
        try self.init(
            identifier, title: title,
            placeholder: CollectionPlaceholder(localIdentifier: identifier),
            steps: [.create(title: title, folder: folder?.localIdentifier)])
    }

    /// Asks for changes to a folder.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public convenience init(for list: CollectionList) throws {
        try self.init(list.localIdentifier, title: list.title)
    }

    /// Asks for changes to a folder that the same block has made.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public convenience init(for placeholder: CollectionPlaceholder) throws {
        try self.init(placeholder.localIdentifier, title: "")
    }

    /// Asks for changes to what lies in no folder. The top has no title.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public static func forTopLevelUserCollections() throws -> CollectionListChangeRequest {
        try CollectionListChangeRequest(nil, title: "")
    }

    private init(
        _ identifier: String?, title: String, placeholder: CollectionPlaceholder? = nil,
        steps: [Step] = []
    ) throws {
        block = try ChangeBlock.current()
        collectionIdentifier = identifier
        placeholderForCreatedCollectionList = placeholder
        state = Mutex(State(steps: steps, title: title))
        block.add(self)
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

    /// What is to be done, in order.
    var steps: [Step] { state.withLock { $0.steps } }

    private func add(_ step: Step) throws {
        guard block.isOpen else { throw ChangeBlock.outsideChangeBlock }
        state.withLock { $0.steps.append(step) }
    }

    /// The title.
    /// Set it only inside the block: later it traps.
    public var title: String {
        get { state.withLock { $0.title } }
        set {
            precondition(block.isOpen, ChangeBlock.outsideChangeBlock.detail)
            state.withLock { state in
                state.title = newValue
                state.steps.append(.title(newValue))
            }
        }
    }

    /// Asks for albums and folders to be put at the end, from wherever they lie. Those that are
    /// in this folder already stay where they are.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws
    ///   `noSuchCollection`, and `folderInItself` for a folder that this one is, or lies in.
    public func addChildCollections(_ collections: [any CollectionReference]) throws {
        try add(.add(collections.map(\.localIdentifier)))
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
        try add(.insert(collections.map(\.localIdentifier), indexes: indexes))
    }

    /// Asks for albums and folders to be put at the end of the top. One that is not in this folder
    /// is no error.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws
    ///   `invalidRequest` for the top itself.
    public func removeChildCollections(_ collections: [any CollectionReference]) throws {
        try add(.remove(collections.map(\.localIdentifier)))
    }

    /// Asks for the albums and folders at these indexes to be put at the end of the top.
    ///
    /// - Throws: as ``removeChildCollections(_:)``; `performChanges` throws `invalidRequest` for
    ///   an index that the folder does not have.
    public func removeChildCollections(at indexes: [Int]) throws {
        try add(.removeAt(indexes))
    }

    /// Asks for the albums and folders at these indexes to be taken out and put in again, in the
    /// order in which they were, the first of them at an index of the folder without them.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws
    ///   `invalidRequest` for an index that the folder does not have.
    public func moveChildCollections(at indexes: [Int], to index: Int) throws {
        try add(.move(indexes, destination: index))
    }
}
