// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Synchronization

/// What a change block asks of one album or folder: what requests for albums and requests for folders
/// have in common.
final class CollectionChange: ChangeRequest {
    /// What is to happen to it.
    enum Step: Sendable {
        case title(String)
        case add([String])
        case insert([String], indexes: [Int])
        case remove([String])
        case removeAt([Int])
        case move([Int], destination: Int)
        /// What only albums have done to them.
        case album(AlbumStep)
    }

    /// What is to happen to an album.
    enum AlbumStep: Sendable {
        case replace([Int], assets: [String])
        case place([String], AlbumPosition)
        case cover(String?)
    }

    private struct State {
        var steps: [Step] = []
        var title: String
    }

    /// What is to be made.
    private struct Creation {
        let title: String
        let folder: String?
    }

    /// What it is.
    let kind: CollectionKind
    /// Its identifier; nil for the top of the library.
    let identifier: String?
    private let creation: Creation?
    private let state: Mutex<State>
    private let block: ChangeBlock

    /// Asks for a new album or folder, the last one in its folder; adds itself to the running block.
    convenience init(
        creating kind: CollectionKind, _ placeholder: CollectionPlaceholder, title: String,
        in folder: (any CollectionReference)?
    ) throws {
        try self.init(
            kind, placeholder.localIdentifier, title: title,
            creation: Creation(title: title, folder: folder?.localIdentifier))
    }

    /// Asks for changes to one that is there, or that the block has made; adds itself to the running
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

    /// Asks for a step, the last one so far.
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

    // MARK: - Carrying it out

    func describe(in summary: inout ChangeSummary) {
        if let identifier {
            if creation != nil {
                summary.insertedCollections.append(identifier)
            } else {
                summary.addUpdatedCollection(identifier)
            }
        }
        // An album or folder changes by being put elsewhere; an asset does not.
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
    /// The identifiers of what is given another place, where it is named.
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

extension CollectionPlaceholder {
    /// Stands for a new album or folder.
    init() { localIdentifier = UUID().uuidString.lowercased() }
}

/// Asks for albums or folders to be deleted.
struct CollectionDeletionRequest: ChangeRequest {
    let kind: CollectionKind
    let identifiers: [String]

    func describe(in summary: inout ChangeSummary) {
        summary.removedCollections += identifiers
    }

    func apply(with executor: ChangeExecutor) throws {
        let rows = try identifiers.map { try executor.collections.row(kind, $0) }
        for row in rows { try executor.collections.delete(row) }
    }
}
