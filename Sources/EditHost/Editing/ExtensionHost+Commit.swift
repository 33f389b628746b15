// SPDX-License-Identifier: Apache-2.0

import Library
import Synchronization

extension ExtensionHost {
    /// Prepares changes of assets' edits concurrently, so that one photo is decoded while another is rendered,
    /// and commits them as one atomic change.
    ///
    /// - Parameters:
    ///   - attempts: The maximum number of attempts, if an asset changes before the commit.
    ///   - codes: The errors of the commit after which another attempt is made.
    ///   - prepared: Called in order with the identifier of each asset whose change is prepared for the first time.
    ///   - prepare: Prepares the change of the asset with an identifier; nil leaves the asset out.
    /// - Returns: The result for each asset that is not skipped, in order.
    /// - Throws: `HostError`, naming the asset; `LibraryError`, `CancellationError`; in that case, nothing has changed.
    func changeEdits(
        of identifiers: [String], in library: PhotoLibrary, attempts: Int = 3,
        after codes: Set<LibraryError.Code> = [.conflict],
        prepared: (String) -> Void = { _ in },
        _ prepare: @escaping @Sendable (String) async throws -> PreparedEdit?
    ) async throws -> [EditResult] {
        for attempt in 1..<attempts {
            do {
                return try await changeEditsOnce(
                    of: identifiers, in: library, attempt == 1 ? prepared : { _ in }, prepare)
            } catch let error as LibraryError where codes.contains(error.code) {
                logger.info("retrying the edit: \(error)")
                // A random delay keeps concurrent edits from conflicting again.
                try await Task.sleep(for: .milliseconds(Int.random(in: 5...40) * attempt))
            }
        }
        return try await changeEditsOnce(
            of: identifiers, in: library, attempts == 1 ? prepared : { _ in }, prepare)
    }

    private func changeEditsOnce(
        of identifiers: [String], in library: PhotoLibrary, _ prepared: (String) -> Void,
        _ prepare: @escaping @Sendable (String) async throws -> PreparedEdit?
    ) async throws -> [EditResult] {
        var all: [PreparedEdit] = []
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
            all.append(next)
            prepared(next.result.assetIdentifier)
        }
        return try await commit(all, in: library)
    }

    /// Commits prepared changes as one.
    ///
    /// - Throws: `LibraryError`, with `conflict` if an asset has changed since its change was prepared.
    func commit(_ prepared: [PreparedEdit], in library: PhotoLibrary) async throws -> [EditResult] {
        let requests = Mutex<[String: AssetChangeRequest]>([:])
        if prepared.contains(where: { $0.commit != nil }) {
            try await library.performChanges {
                for next in prepared {
                    guard let commit = next.commit else { continue }
                    let request = try AssetChangeRequest(for: next.result.history.asset)
                    request.reportHistory()
                    requests.withLock { $0[request.assetIdentifier] = request }
                    try commit(request)
                }
            }
        }
        return prepared.map(\.result).map { result in
            let request = requests.withLock { $0[result.assetIdentifier] }
            return request?.committedHistory.map(result.committed) ?? result
        }
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
