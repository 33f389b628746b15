// SPDX-License-Identifier: Apache-2.0

import FileAccess
import FoundationEssentials
import Synchronization

/// Collects the requests made while the block given to `performChanges` runs.
final class ChangeBlock: Sendable {
    /// The block that is running in this task or thread.
    @TaskLocal static var running: ChangeBlock?

    private struct State {
        var isOpen = true
        var requests: [any ChangeRequest] = []
        /// Where files are staged; nil when the block has ended.
        var staging: (BlobStore, StagingSession)?
        var verifier: (any ContentVerifier)?
    }

    private let state = Mutex(State())

    /// The block that runs now, or `outsideChangeBlock`.
    static func current() throws -> ChangeBlock {
        guard let running, running.isOpen else { throw outsideChangeBlock }
        return running
    }

    static var outsideChangeBlock: LibraryError {
        LibraryError(
            .outsideChangeBlock,
            "change requests can be created and used only inside the block of performChanges")
    }

    /// Runs the caller's block and gives what it asked for.
    static func collect(
        for store: BlobStore, _ session: StagingSession, verifier: (any ContentVerifier)? = nil,
        _ changes: () throws -> Void
    ) throws -> [any ChangeRequest] {
        guard running?.isOpen != true else {
            throw LibraryError(
                .nestedChangeBlock, "performChanges cannot be called inside a change block")
        }
        let block = ChangeBlock()
        block.state.withLock { state in
            state.staging = (store, session)
            state.verifier = verifier
        }
        // Requests know their block; were they to stay in it, neither would ever be let go.
        defer {
            block.state.withLock { state in
                state.isOpen = false
                state.requests = []
                state.staging = nil
                state.verifier = nil
            }
        }
        try $running.withValue(block, operation: changes)
        return block.state.withLock { $0.requests }
    }

    private var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Fails where the block has ended.
    func requireOpen() throws {
        guard isOpen else { throw Self.outsideChangeBlock }
    }

    /// Stops the program where the block has ended: setting a property cannot throw.
    func preconditionOpen() {
        precondition(isOpen, Self.outsideChangeBlock.message)
    }

    /// Copies a file that a request adds.
    func stage(_ file: OpenFile) throws -> StagedBlob {
        guard let (store, session) = state.withLock({ $0.staging }) else {
            throw Self.outsideChangeBlock
        }
        return try store.stage(file, expectedSize: nil, in: session)
    }

    /// Copies the file that a URL names.
    func stage(fileAt url: URL) throws -> (SourceFile, StagedBlob) {
        guard url.isFileURL else {
            throw LibraryError(.invalidRequest, "\(url) is not a file URL")
        }
        let source = try SourceFile(path: url.path)
        let blob = try stage(source.file)
        try source.requireUnchanged()
        return (source, blob)
    }

    /// Writes bytes that a request adds.
    func stage(_ data: Data) throws -> StagedBlob {
        guard let (store, session) = state.withLock({ $0.staging }) else {
            throw Self.outsideChangeBlock
        }
        return try store.stage(data, in: session)
    }

    /// Makes a place for the result of an edit; nil where no host has been attached.
    func makeFiles() throws -> ContentEditingFiles? {
        try state.withLock { $0.verifier }?.makeFiles()
    }

    /// Adds a request, in the order in which they will be carried out.
    func add(_ request: any ChangeRequest) {
        state.withLock { $0.requests.append(request) }
    }
}

/// Something that a change block asks for.
protocol ChangeRequest: Sendable {
    /// Says which assets it concerns.
    func describe(in summary: inout ChangeSummary)
    /// The staged bytes that must be durable before the transaction begins.
    var stagedBlobs: [StagedBlob] { get }
    /// Fails early where the library already shows that it cannot be done. Nothing is changed.
    func check(with executor: ChangeExecutor) throws
    /// Does it, inside the transaction.
    func apply(with executor: ChangeExecutor) throws
    /// Told after the transaction has committed.
    func didCommit(in library: PhotoLibrary)
}

extension ChangeRequest {
    var stagedBlobs: [StagedBlob] { [] }
    func check(with executor: ChangeExecutor) throws {}
    func didCommit(in library: PhotoLibrary) {}
}

/// What a change block is about to do, for the authorisation hook.
public struct ChangeSummary: Hashable, Sendable {
    /// The identifiers of assets that will be made.
    public internal(set) var inserted: [String] = []
    /// The identifiers of assets whose metadata or content will be changed.
    public internal(set) var updated: [String] = []
    /// The identifiers of assets that will be deleted.
    public internal(set) var removed: [String] = []
    /// The identifiers of albums and folders that will be made.
    public internal(set) var insertedCollections: [String] = []
    /// The identifiers of albums and folders that will be changed: their own properties, or what
    /// is in them.
    public internal(set) var updatedCollections: [String] = []
    /// The identifiers of albums and folders that will be deleted, without those in them.
    public internal(set) var removedCollections: [String] = []

    /// What `updated` has: a block may change thousands.
    private var known: Set<String> = []

    mutating func addUpdated(_ identifier: String) {
        if known.insert(identifier).inserted { updated.append(identifier) }
    }

    /// One that the block makes is not an updated one.
    mutating func addUpdatedCollection(_ identifier: String) {
        if !updatedCollections.contains(identifier), !insertedCollections.contains(identifier) {
            updatedCollections.append(identifier)
        }
    }
}
