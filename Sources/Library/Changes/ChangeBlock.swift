// SPDX-License-Identifier: Apache-2.0

import FileAccess
import FoundationEssentials
import Synchronization

/// Collects the change requests made while the block passed to `performChanges` runs.
final class ChangeBlock: Sendable {
    /// The change block running in the current task or thread.
    @TaskLocal static var running: ChangeBlock?

    private struct State {
        var isOpen = true
        var requests: [any ChangeRequest] = []
        /// The store and session that files are staged in; nil once the block has ended.
        var staging: (BlobStore, StagingSession)?
        var verifier: (any ContentVerifier)?
    }

    private let state = Mutex(State())

    /// Returns the running change block.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    static func current() throws -> ChangeBlock {
        guard let running, running.isOpen else { throw outsideChangeBlock }
        return running
    }

    static var outsideChangeBlock: LibraryError {
        LibraryError(
            .outsideChangeBlock,
            "change requests can be created and used only inside the block of performChanges")
    }

    /// Runs `changes` and returns the requests it made, in order.
    ///
    /// - Throws: `LibraryError` with `nestedChangeBlock`, and any error thrown by `changes`.
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
        // Requests hold a reference to their block. Dropping them here breaks the retain cycle.
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

    /// Throws `outsideChangeBlock` if the block has ended.
    func requireOpen() throws {
        guard isOpen else { throw Self.outsideChangeBlock }
    }

    /// Traps if the block has ended. For property setters, which cannot throw.
    func preconditionOpen() {
        precondition(isOpen, Self.outsideChangeBlock.message)
    }

    /// Copies a file that a request adds into the staging area.
    func stage(_ file: OpenFile) throws -> StagedBlob {
        guard let (store, session) = state.withLock({ $0.staging }) else {
            throw Self.outsideChangeBlock
        }
        return try store.stage(file, expectedSize: nil, in: session)
    }

    /// Stages the file at a URL, and checks that it did not change while it was copied.
    func stage(fileAt url: URL) throws -> (SourceFile, StagedBlob) {
        guard url.isFileURL else {
            throw LibraryError(.invalidRequest, "\(url) is not a file URL")
        }
        let source = try SourceFile(path: url.path)
        let blob = try stage(source.file)
        try source.requireUnchanged()
        return (source, blob)
    }

    /// Writes bytes that a request adds into the staging area.
    func stage(_ data: Data) throws -> StagedBlob {
        guard let (store, session) = state.withLock({ $0.staging }) else {
            throw Self.outsideChangeBlock
        }
        return try store.stage(data, in: session)
    }

    /// Creates the output files of an edit; nil if no host is attached.
    func makeFiles() throws -> ContentEditingFiles? {
        try state.withLock { $0.verifier }?.makeFiles()
    }

    /// Appends a request. Requests are executed in this order.
    func add(_ request: any ChangeRequest) {
        state.withLock { $0.requests.append(request) }
    }
}
