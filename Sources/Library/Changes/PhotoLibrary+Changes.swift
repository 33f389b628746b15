// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FileAccess
import FoundationEssentials
import GRDB
import Glibc

extension PhotoLibrary {
    /// Executes the change requests made in `changes` as one atomic change.
    ///
    /// ```swift
    /// try library.performChanges {
    ///     try AssetChangeRequest(for: asset).isFavorite = true
    /// }
    /// ```
    ///
    /// Change requests can be created and used only inside `changes`. Elsewhere, initialisers and
    /// methods throw `outsideChangeBlock`. Property setters cannot throw and trap instead. Requests
    /// that cannot be executed or stored make this call throw after the block has ended.
    ///
    /// The call proceeds in three steps:
    ///
    /// 1. The host decodes files that have not been decoded yet: those of
    ///    ``AssetCreationRequest/creationRequestForAssetFromImage(atFileURL:)`` and outputs that
    ///    were not prepared.
    /// 2. The authorisation hook is called once.
    /// 3. One transaction writes all changes and one entry in the change history.
    ///
    /// When the call returns, the changes survive a power failure. If they grouped photos into
    /// a burst, or took the automatic pick from one, the host has picked again, in a separate
    /// change.
    ///
    /// - Parameter changes: A closure that makes the requests. It runs immediately, on the calling
    ///   thread.
    /// - Returns: The token of the position after the change. A block that changes nothing adds no
    ///   entry, and the token is that of the last change.
    /// - Throws: Any error thrown by `changes`, by the authorisation hook, or by the host when it
    ///   decodes a file. `LibraryError`, among others `conflict`, `noSuchAsset`, `cannotWrite`,
    ///   `busy`, `readOnly`.
    @discardableResult
    public func performChanges(_ changes: () throws -> Void) throws -> ChangeToken {
        let (pool, session) = try writer()
        let requests = try collect(changes, session)
        let verification = BlockVerification(requests, in: self)
        if verification.isNeeded { try WaitingThread.run(verification.run) }
        let transaction = try authorizedTransaction(requests, session: session)
        let result = try translatingDatabaseErrors(path: path) {
            try pool.writeWithoutTransaction(transaction.run)
        }
        let token = finish(transaction, result)
        if let pick = burstPicking(after: result) { WaitingThread.wait(pick) }
        return token
    }

    /// Executes change requests without blocking the calling task's thread on disk access.
    ///
    /// - Parameter changes: A closure that makes the requests. It runs before the first suspension.
    /// - Returns: The token of the position after the change.
    /// - Throws: The same errors as the synchronous `performChanges`.
    @discardableResult
    public func performChanges(
        _ changes: @Sendable () throws -> Void
    ) async throws -> ChangeToken {
        let (pool, session) = try writer()
        let requests = try collect(changes, session)
        let verification = BlockVerification(requests, in: self)
        if verification.isNeeded { try await verification.run() }
        let transaction = try authorizedTransaction(requests, session: session)
        let result: ChangeTransaction.Result
        do {
            result = try await pool.writeWithoutTransaction { try transaction.run($0) }
        } catch {
            throw LibraryError.translating(error, path: path)
        }
        let token = finish(transaction, result)
        await burstPicking(after: result)?()
        return token
    }

    /// Executes the change requests synchronously. PhotoKit's name for ``performChanges(_:)``.
    ///
    /// - Returns: The token of the position after the change.
    /// - Throws: The same errors as ``performChanges(_:)``.
    @discardableResult
    public func performChangesAndWait(_ changes: () throws -> Void) throws -> ChangeToken {
        try performChanges(changes)
    }

    /// Executes change requests asynchronously on another thread. Blocks passed to this method run
    /// serially, in the order of the calls.
    ///
    /// - Parameters:
    ///   - changes: A closure that makes the requests. It runs on that thread.
    ///   - completionHandler: Called on an arbitrary queue. Receives true once the changes are
    ///     durable; otherwise false and an error of the synchronous `performChanges`.
    public func performChanges(
        _ changes: @escaping @Sendable () throws -> Void,
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        blockQueue.async { [self] in
            let failure: (any Error)?
            do {
                try performChanges(changes)
                failure = nil
            } catch {
                failure = error
            }
            // Called on another queue, because a handler may wait for the next block.
            DispatchQueue.global().async { completionHandler(failure == nil, failure) }
        }
    }

    private func collect(
        _ changes: () throws -> Void, _ session: StagingSession
    ) throws -> [any ChangeRequest] {
        try ChangeBlock.collect(for: store, session, verifier: contentVerifier, changes)
    }

    private func authorizedTransaction(
        _ requests: [any ChangeRequest], session: StagingSession
    ) throws -> ChangeTransaction {
        var summary = ChangeSummary()
        for request in requests { request.describe(in: &summary) }
        if !requests.isEmpty { try options.authorization?(summary) }
        return ChangeTransaction(
            requests: requests, store: store, author: author(session),
            busyTimeout: options.busyTimeout)
    }

    /// Returns the author of a change. A session of its own keeps a change from being grouped with
    /// others in the journal.
    func author(_ session: StagingSession) -> ChangeAuthor {
        let isGrouped = options.groupsChanges || options.command == nil
        return ChangeAuthor(
            session: isGrouped ? session.identifier : UUID().uuidString.lowercased(),
            command: options.command)
    }

    private func finish(
        _ transaction: ChangeTransaction, _ result: ChangeTransaction.Result
    ) -> ChangeToken {
        for request in transaction.requests { request.didCommit(in: self) }
        if result.date != nil { writeWakeByte() }
        return result.token
    }

    /// Returns the host's work of picking from bursts after a change; nil if there is none.
    private func burstPicking(
        after result: ChangeTransaction.Result
    ) -> (@Sendable () async -> Void)? {
        let bursts = result.unpickedBursts
        guard !bursts.isEmpty, let verifier = contentVerifier else { return nil }
        return { [self] in await verifier.pickBestFrames(ofBursts: bursts, in: self) }
    }

    /// Wakes processes that watch the library. Best effort: watchers also poll once a second.
    private func writeWakeByte() {
        guard let file = try? root.file(LibraryName.wake, O_WRONLY | O_CREAT, mode: 0o666),
            (try? file.systemStatus())?.hasOtherNames == false
        else { return }
        var byte: UInt8 = 0x0A
        withUnsafeBytes(of: &byte) { try? file.write($0, at: 0) }
    }
}
