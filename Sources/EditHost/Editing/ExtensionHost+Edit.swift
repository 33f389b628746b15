// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost
import Synchronization

extension ExtensionHost {
    /// The number of attempts at an edit whose commit conflicts with another change of the asset.
    private static let maximumAttempts = 3

    /// Edits photographs with one extension and commits the results as one atomic change.
    ///
    /// - Parameters:
    ///   - assetIdentifiers: the assets, without duplicates.
    ///   - request: the extension and its parameters.
    ///   - cancellation: cancels the edits from another task.
    ///   - progressHandler: receives progress from extensions that report it. Progress restarts if an edit is
    ///     retried because of a conflicting change.
    ///   - finished: called in order with the identifier of each asset whose edit is ready to be committed.
    /// - Throws: `HostError`, `LibraryError`; in that case, nothing has been committed.
    @discardableResult
    public func edit(
        _ assetIdentifiers: [String], _ request: EditRequest, in library: PhotoLibrary,
        cancellation: EditCancellation = EditCancellation(),
        progressHandler: EditProgressHandler? = nil, finished: (String) -> Void = { _ in }
    ) async throws -> [EditResult] {
        await pool.warmUp()
        var preparation = try prepare(request, in: library, cancellation)
        preparation.progressHandler = progressHandler
        // One runner for the extension, and one for the pictures that an untrusted extension must not decode itself.
        if !preparation.binary.isTrusted { await pool.warmUp(2) }
        let wanted = preparation
        return try await retryingConflicts { attempt in
            let prepared = try await prepare(
                assetIdentifiers, wanted, finished: attempt == 1 ? finished : { _ in })
            return try await commit(prepared, with: wanted.binary, in: library)
        }
    }

    /// Runs a body up to three times, until it does not fail with `LibraryError` and `conflict`.
    func retryingConflicts<Result>(_ body: (Int) async throws -> Result) async throws -> Result {
        for attempt in 1..<Self.maximumAttempts {
            do {
                return try await body(attempt)
            } catch let error as LibraryError where error.code == .conflict {
                logger.info("retrying the edit: \(error)")
                // A random delay keeps concurrent edits from conflicting again.
                try await Task.sleep(for: .milliseconds(Int.random(in: 5...40) * attempt))
            }
        }
        return try await body(Self.maximumAttempts)
    }

    /// Edits photographs with one extension and commits each separately. Edits run concurrently.
    ///
    /// - Parameters:
    ///   - assetIdentifiers: the assets, without duplicates.
    ///   - request: the extension and its parameters.
    ///   - cancellation: cancels the edits from another task. Committed edits stay.
    ///   - progressHandler: see ``edit(_:_:in:cancellation:progressHandler:finished:)``.
    ///   - report: called in order with the identifier and the result of each asset.
    /// - Throws: any error of `report`; `CancellationError` if some edits were not started.
    public func editEach(
        _ assetIdentifiers: [String], _ request: EditRequest, in library: PhotoLibrary,
        cancellation: EditCancellation = EditCancellation(),
        progressHandler: EditProgressHandler? = nil,
        report: (String, Result<EditResult, any Error>) async throws -> Void
    ) async throws {
        try await forEachOrdered(assetIdentifiers, limit: configuration.runnerLimit) {
            identifier -> (String, Result<EditResult, any Error>) in
            do {
                let results = try await self.edit(
                    [identifier], request, in: library, cancellation: cancellation,
                    progressHandler: progressHandler)
                guard let result = results.first else { throw CancellationError() }
                return (identifier, .success(result))
            } catch {
                return (identifier, .failure(error))
            }
        } deliver: { identifier, result in
            try await report(identifier, result)
        }
    }

    /// Prepares edits concurrently, so that one photograph is decoded while another is rendered.
    private func prepare(
        _ assetIdentifiers: [String], _ preparation: EditPreparation,
        finished: (String) -> Void
    ) async throws -> [FinishedAssetEdit] {
        var prepared: [FinishedAssetEdit] = []
        do {
            try await forEachOrdered(assetIdentifiers, limit: configuration.runnerLimit) {
                identifier -> Result<FinishedAssetEdit, any Error> in
                do {
                    try preparation.cancellation.check()
                    return .success(try await preparation.prepare(identifier))
                } catch {
                    return .failure(error)
                }
            } deliver: { result in
                let edit = try result.get()
                prepared.append(edit)
                finished(edit.history.asset.localIdentifier)
            }
        } catch let error as CancellationError {
            try preparation.cancellation.check()
            // The change is atomic, so one cancelled edit cancels them all.
            throw error
        }
        return prepared
    }

    func prepare(
        _ request: EditRequest, in library: PhotoLibrary, _ cancellation: EditCancellation,
        for purpose: EditPreparation.Purpose = .batch
    ) throws -> EditPreparation {
        let installed = try extensions.catalogue.installed(named: request.extensionName)
        let binary = try extensions.binary(of: installed, for: library.path)
        let recipe = try request.recipe.map {
            try StartingRecipe($0, of: binary.manifest, in: library)
        }
        let values = try binary.manifest.values(for: request)
        return EditPreparation(
            host: self, library: library, request: request, binary: binary,
            values: (recipe?.values ?? [:]).merging(values) { _, named in named },
            recipe: recipe?.hasData == true ? recipe : nil, cancellation: cancellation,
            purpose: purpose)
    }

    /// Commits finished edits as one change.
    ///
    /// - Throws: `LibraryError`, with `conflict` if an asset has changed since its edit was started.
    func commit(
        _ prepared: [FinishedAssetEdit], with binary: ExtensionBinary,
        in library: PhotoLibrary
    ) async throws -> [EditResult] {
        let requests = Mutex<[String: AssetChangeRequest]>([:])
        if prepared.contains(where: { $0.output != nil }) {
            try await library.performChanges {
                for edit in prepared {
                    guard let output = edit.output else { continue }
                    let request = try AssetChangeRequest(for: edit.history.asset)
                    request.contentEditingOutput = output
                    requests.withLock { $0[request.assetIdentifier] = request }
                }
            }
        }
        return prepared.map { edit in
            var result = EditResult(
                assetIdentifier: edit.history.asset.localIdentifier,
                extensionIdentifier: binary.manifest.identifier, input: edit.input,
                status: .unchanged)
            guard let output = edit.output else { return result }
            let request = requests.withLock { $0[result.assetIdentifier] }
            result.status = .committed
            result.isUpdate = output.input.replaced != nil
            result.editIdentifier = request?.committedEditIdentifier
            result.rendition = output.renderedContent?.blob.hash
            result.warnings = output.renderedContent?.omissions ?? []
            result.warnings += [edit.history.newEditLoss].compactMap(\.self)
            result.warnings += output.renderedContent?.otherParts.flatMap(\.omissions) ?? []
            if edit.lacksOriginal { result.warnings.append(FinishedAssetEdit.overCurrent) }
            if edit.losesMotion { result.warnings.append(FinishedAssetEdit.lostMotion) }
            result.warnings += edit.framingWarnings(extensions)
            result.warnings += edit.uncontinuedEdit(binary.manifest)
            if !output.isReproducible {
                result.warnings.append(
                    "\(binary.manifest.identifier) is not reproducible (it does not render the "
                        + "same picture again from its recipe); the picture is kept, and "
                        + "rerender skips it")
            }
            return result
        }
    }
}
