// SPDX-License-Identifier: Apache-2.0

import Library

extension ExtensionHost {
    /// Prepares changes of assets' edits concurrently, so that one photo is decoded while another is rendered,
    /// and commits them as one atomic change.
    ///
    /// - Parameters:
    ///   - attempts: The maximum number of attempts, if an asset changes before the commit.
    ///   - codes: The errors of the commit after which another attempt is made.
    ///   - prepared: Called in order with the identifier of each asset whose change is prepared for the first time.
    ///   - outcome: Returns what is kept of the result for an asset. The results of a large batch would not fit into
    ///     memory. Called in the transaction, so it must not use the library.
    ///   - prepare: Prepares the change of the asset with an identifier; nil leaves the asset out.
    /// - Returns: The outcome for each asset that is not skipped, in order.
    /// - Throws: `HostError`, naming the asset; `LibraryError`, `CancellationError`; in that case, nothing has changed.
    func changeEdits<Outcome: Sendable>(
        of identifiers: [String], in library: PhotoLibrary, attempts: Int = 3,
        after codes: Set<LibraryError.Code> = [.conflict],
        prepared: (String) -> Void = { _ in },
        outcome: @escaping @Sendable (EditResult) throws -> Outcome,
        _ prepare: @escaping @Sendable (String) async throws -> PreparedEdit?
    ) async throws -> [Outcome] {
        for attempt in 1..<attempts {
            do {
                return try await changeEditsOnce(
                    of: identifiers, in: library, attempt == 1 ? prepared : { _ in }, outcome,
                    prepare)
            } catch let error as LibraryError where codes.contains(error.code) {
                logger.info("retrying the edit: \(error)")
                // A random delay keeps concurrent edits from conflicting again.
                try await Task.sleep(for: .milliseconds(Int.random(in: 5...40) * attempt))
            }
        }
        return try await changeEditsOnce(
            of: identifiers, in: library, attempts == 1 ? prepared : { _ in }, outcome, prepare)
    }

    private func changeEditsOnce<Outcome: Sendable>(
        of identifiers: [String], in library: PhotoLibrary, _ prepared: (String) -> Void,
        _ outcome: @escaping @Sendable (EditResult) throws -> Outcome,
        _ prepare: @escaping @Sendable (String) async throws -> PreparedEdit?
    ) async throws -> [Outcome] {
        let batch = ContentChangeBatch<PreparedEdit, Outcome> { try outcome($0.result($1)) }
        // Nil for an edit of the batch.
        var outcomes: [Outcome?] = []
        try await forEachOrdered(identifiers, limit: configuration.runnerLimit) {
            identifier -> Result<PreparedEdit?, any Error> in
            do {
                let prepared = try await self.withMemory(for: identifier, in: library) {
                    try await prepare(identifier)
                }
                return .success(prepared)
            } catch let error as HostError where error.code != .cancelled {
                return .failure(error.naming(asset: identifier))
            } catch {
                return .failure(error)
            }
        } deliver: { result in
            guard let next = try result.get() else { return }
            if let history = next.unchangedHistory {
                outcomes.append(try outcome(next.result(history)))
            } else {
                outcomes.append(nil)
                batch.append(next)
            }
            prepared(next.assetIdentifier)
        }
        var committed = try await batch.commit(in: library)[...]
        return outcomes.compactMap { $0 ?? committed.popFirst() }
    }

    /// Commits a prepared change of one asset.
    ///
    /// - Throws: `LibraryError`, with `conflict` if the asset has changed since its change was prepared.
    func commit(_ prepared: PreparedEdit, in library: PhotoLibrary) async throws -> EditResult {
        if let history = prepared.unchangedHistory { return prepared.result(history) }
        let batch = ContentChangeBatch<PreparedEdit, EditResult> { $0.result($1) }
        batch.append(prepared)
        return try await batch.commit(in: library)[0]
    }

    /// Makes a change to each asset concurrently and reports the results in order.
    func reportEach(
        _ identifiers: [String],
        _ report: (String, Result<EditResult, any Error>) async throws -> Void,
        _ change: @escaping @Sendable (String) async throws -> [EditResult]
    ) async throws {
        var delivered = 0
        // A task that returns a tuple with the identifier is miscompiled by the release build of Swift 6.3.
        try await forEachOrdered(identifiers, limit: configuration.runnerLimit) {
            identifier -> Result<[EditResult], any Error> in
            do {
                return .success(try await change(identifier))
            } catch {
                return .failure(error)
            }
        } deliver: { result in
            try await report(identifiers[delivered], result.map { $0[0] })
            delivered += 1
        }
    }
}
