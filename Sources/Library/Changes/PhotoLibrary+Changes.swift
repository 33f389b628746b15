// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FileAccess
import FoundationEssentials
import GRDB
import Glibc

extension PhotoLibrary {
    /// Carries out the change requests that are made in `changes`, all of them or none.
    ///
    /// ```swift
    /// try library.performChanges {
    ///     try AssetChangeRequest(for: asset).isFavorite = true
    /// }
    /// ```
    ///
    /// Change requests are made and used inside `changes` only. Elsewhere, making one and calling its
    /// methods throws `outsideChangeBlock`; setting a property, which cannot throw, traps. What cannot
    /// be done or stored is an error of this call, when the block has ended.
    ///
    /// First the host decodes what nobody has looked at yet: files of
    /// ``AssetCreationRequest/creationRequestForAssetFromImage(atFileURL:)``, outputs that were not
    /// prepared. The authorisation hook is asked once. Then one transaction writes everything, with one
    /// entry in the history of changes; when this returns, it survives a power failure.
    ///
    /// - Parameter changes: Makes the requests. It runs at once, on this thread.
    /// - Returns: The place in history after the change. A block that changes nothing leaves no
    ///   entry, and the token is that of the last one.
    /// - Throws: What `changes` or the authorisation hook throws, and what the host finds wrong with a
    ///   file; `LibraryError`, among others
    ///   `conflict`, `noSuchAsset`, `cannotWrite`, `busy`, `readOnly`.
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
        return finish(transaction, result)
    }

    /// Carries out change requests without blocking the calling task's thread on the disk.
    ///
    /// - Parameter changes: Makes the requests. It runs before this call first waits.
    /// - Returns: The place in history after the change.
    /// - Throws: As the other `performChanges`.
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
        return finish(transaction, result)
    }

    /// PhotoKit's name of the ``performChanges(_:)`` that blocks.
    ///
    /// - Returns: The place in history after the change.
    /// - Throws: As that.
    @discardableResult
    public func performChangesAndWait(_ changes: () throws -> Void) throws -> ChangeToken {
        try performChanges(changes)
    }

    /// Carries out change requests on another thread, and returns at once. Blocks that are given to
    /// this call are carried out one after the other, in its order.
    ///
    /// - Parameters:
    ///   - changes: Makes the requests, on that thread.
    ///   - completionHandler: Told, on an arbitrary queue, whether the changes are on the disk; if
    ///     not, with what the other `performChanges` throws.
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
            // A handler may wait for the next block.
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
            requests: requests, store: store, session: session.identifier,
            busyTimeout: options.busyTimeout)
    }

    private func finish(
        _ transaction: ChangeTransaction, _ result: ChangeTransaction.Result
    ) -> ChangeToken {
        for request in transaction.requests { request.didCommit(in: self) }
        if result.change != nil { writeWakeByte() }
        return result.token
    }

    /// Wakes processes that watch the library. Failing is harmless: they also look by
    /// themselves once a second.
    private func writeWakeByte() {
        guard let file = try? root.file(LibraryName.wake, O_WRONLY | O_CREAT, mode: 0o666),
            (try? file.systemStatus())?.hasOtherNames == false
        else { return }
        var byte: UInt8 = 0x0A
        withUnsafeBytes(of: &byte) { try? file.write($0, at: 0) }
    }
}
