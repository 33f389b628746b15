// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension ExtensionHost {
    /// Edits photos with one extension and commits the results as one atomic change.
    ///
    /// - Parameters:
    ///   - assetIdentifiers: The assets, without duplicates.
    ///   - request: The extension and its parameters.
    ///   - cancellation: Cancels the edits from another task.
    ///   - progressHandler: Receives progress from extensions that report it. Progress restarts if an edit is
    ///     retried because of a conflicting change.
    ///   - finished: Called in order with the identifier of each asset whose edit is ready to be committed.
    ///   - outcome: Returns what is kept of the result for an asset, for large batches. Called in the transaction, so it
    ///     must not use the library.
    /// - Returns: The outcome for each asset, in order.
    /// - Throws: `HostError`, `LibraryError`; in that case, nothing has been committed.
    @discardableResult
    public func edit<Outcome: Sendable>(
        _ assetIdentifiers: [String], _ request: EditRequest, in library: PhotoLibrary,
        cancellation: EditCancellation = EditCancellation(),
        progressHandler: EditProgressHandler? = nil, finished: (String) -> Void = { _ in },
        outcome: @escaping @Sendable (EditResult) throws -> Outcome = { $0 }
    ) async throws -> [Outcome] {
        await pool.warmUp()
        var preparation = try prepare(request, in: library, cancellation)
        preparation.progressHandler = progressHandler
        // One runner for the extension, and one for the pictures that an untrusted extension must not decode itself.
        if !preparation.binary.isTrusted { await pool.warmUp(2) }
        let wanted = preparation
        do {
            return try await changeEdits(
                of: assetIdentifiers, in: library, prepared: finished, outcome: outcome
            ) {
                try cancellation.check()
                return try await wanted.prepare($0)
            }
        } catch let error as CancellationError {
            try cancellation.check()
            // The change is atomic, so one cancelled edit cancels them all.
            throw error
        }
    }

    /// Edits photos with one extension and commits each separately. Edits run concurrently.
    ///
    /// - Parameters:
    ///   - assetIdentifiers: The assets, without duplicates.
    ///   - request: The extension and its parameters.
    ///   - cancellation: Cancels the edits from another task. Edits that were already committed are kept.
    ///   - progressHandler: See ``edit(_:_:in:cancellation:progressHandler:finished:outcome:)``.
    ///   - report: Called in order with the identifier and the result of each asset.
    /// - Throws: Any error of `report`; `CancellationError` if some edits were not started.
    public func editEach(
        _ assetIdentifiers: [String], _ request: EditRequest, in library: PhotoLibrary,
        cancellation: EditCancellation = EditCancellation(),
        progressHandler: EditProgressHandler? = nil,
        report: (String, Result<EditResult, any Error>) async throws -> Void
    ) async throws {
        try await reportEach(assetIdentifiers, report) { identifier in
            try await self.edit(
                [identifier], request, in: library, cancellation: cancellation,
                progressHandler: progressHandler)
        }
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
}
