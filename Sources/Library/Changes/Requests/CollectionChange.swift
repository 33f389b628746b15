// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A change of one album or folder. Shared implementation of the public requests for albums and
/// folders.
final class CollectionChange: ChangeRequest {
    /// One step of the change. Steps are executed in order.
    enum Step: Sendable {
        case title(String)
        case add([String])
        case insert([String], indexes: [Int])
        case remove([String])
        case removeAt([Int])
        case move([Int], destination: Int)
        /// A step available only for albums.
        case album(AlbumStep)
    }

    /// A step available only for albums.
    enum AlbumStep: Sendable {
        case replace([Int], assets: [String])
        case place([String], AlbumPosition)
        case cover(String?)
    }

    private struct State {
        var steps: [Step] = []
        var title: String
    }

    /// The arguments for creating a new collection.
    private struct Creation {
        let title: String
        let folder: String?
    }

    /// The kind of collection: album or folder.
    let kind: CollectionKind
    /// The collection's identifier; nil for the top level.
    let identifier: String?
    private let creation: Creation?
    private let state: Mutex<State>
    private let block: ChangeBlock

    /// Creates a new album or folder, the last one in its folder. Adds itself to the running block.
    convenience init(
        creating kind: CollectionKind, _ placeholder: CollectionPlaceholder, title: String,
        in folder: (any CollectionReference)?
    ) throws {
        try self.init(
            kind, placeholder.localIdentifier, title: title,
            creation: Creation(title: title, folder: folder?.localIdentifier))
    }

    /// Changes an existing collection, or one that the block creates. Adds itself to the running
    /// block.
    convenience init(_ kind: CollectionKind, _ identifier: String?, title: String = "") throws {
        try self.init(kind, identifier, title: title, creation: nil)
    }

    private init(
        _ kind: CollectionKind, _ identifier: String?, title: String, creation: Creation?
    ) throws {
        block = try ChangeBlock.current()
        self.kind = kind
        self.identifier = identifier
        self.creation = creation
        state = Mutex(State(title: title))
        block.add(self)
    }

    /// Appends a step.
    func add(_ step: Step) throws {
        try block.requireOpen()
        state.withLock { $0.steps.append(step) }
    }

    /// The title. Setting it outside the block traps.
    var title: String {
        get { state.withLock { $0.title } }
        set {
            block.preconditionOpen()
            state.withLock { state in
                state.title = newValue
                state.steps.append(.title(newValue))
            }
        }
    }

    // MARK: - Execution

    func describe(in summary: inout ChangeSummary) {
        if let identifier {
            if creation != nil {
                summary.insertedCollections.append(identifier)
            } else {
                summary.addUpdatedCollection(identifier)
            }
        }
        // Moving an album or folder changes its own row. Moving an asset does not.
        guard kind == .folder else { return }
        for child in state.withLock({ $0.steps }).flatMap(\.named) {
            summary.addUpdatedCollection(child)
        }
    }

    func apply(with executor: ChangeExecutor) throws {
        if let creation, let identifier {
            try executor.collections.insert(kind, identifier, creation.title, in: creation.folder)
        }
        let row = try identifier.map { try executor.collections.row(kind, $0) }
        for step in state.withLock({ $0.steps }) { try apply(step, to: row, with: executor) }
    }

    private func apply(_ step: Step, to row: Int64?, with executor: ChangeExecutor) throws {
        switch (step, row) {
        case (.title(let title), let row?): try executor.collections.setTitle(title, of: row)
        case (.title, nil):
            throw LibraryError(.invalidRequest, "the top level of the library has no title")
        case (.album(let step), let row?): try step.apply(to: executor.album(row))
        case (_, let row?) where kind == .album: try step.apply(to: executor.album(row))
        default: try step.apply(to: executor.folder(row))
        }
    }
}

extension CollectionChange.Step {
    /// The identifiers of objects that the step moves, as far as it names them.
    fileprivate var named: [String] {
        switch self {
        case .add(let named), .insert(let named, _), .remove(let named): named
        case .title, .removeAt, .move, .album: []
        }
    }

    fileprivate func apply(to contents: some CollectionContents) throws {
        switch self {
        case .title, .album: break
        case .add(let named): try contents.add(named)
        case .insert(let named, let indexes): try contents.insert(named, at: indexes)
        case .remove(let named): try contents.remove(named)
        case .removeAt(let indexes): try contents.remove(at: indexes)
        case .move(let indexes, let destination): try contents.move(at: indexes, to: destination)
        }
    }
}

extension CollectionChange.AlbumStep {
    fileprivate func apply(to album: AlbumContents) throws {
        switch self {
        case .replace(let indexes, let assets): try album.replace(at: indexes, with: assets)
        case .place(let assets, let position): try album.move(assets, to: position)
        case .cover(let asset): try album.setCover(asset)
        }
    }
}
