// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
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
    /// - Throws: `HostError`, `LibraryError`; nothing has been committed then.
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
        let binary = try extensions.binary(of: installed, for: library)
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
            if edit.losesMotion { result.warnings.append(FinishedAssetEdit.lostMotion) }
            result.warnings += edit.cutWarnings(extensions)
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

/// An edit that a user requests: an extension, its parameters and the recipe to start from.
public struct EditRequest: Sendable {
    /// The extension's identifier, or its last component if that is unique.
    public var extensionName: String
    /// The values of parameters, as text. Parameters without a value keep the value of the recipe.
    public var values: [String: String]
    /// The name of a preset, or nil. Its values apply to parameters that ``values`` does not set.
    public var preset: String?
    /// Whether to start from the default values instead of those of the recipe.
    public var reset: Bool
    /// The position of the edit to reopen in the edit stack, counted from 1; nil: the last one.
    public var step: Int?
    /// Whether to edit only the still of a Live Photo. The motion is hidden until the edit is undone.
    public var stillOnly = false
    /// The recipe to start from. nil: the recipe of the continued edit, or the default values.
    public var recipe: Recipe?

    /// A recipe from outside the edit stack of the asset.
    public enum Recipe: Sendable {
        /// The path of a file that holds a JSON object of parameter values, or a recipe in the extension's own format.
        case file(String)
        /// The identifier of an asset. The recipe is that of its last edit with the extension.
        case asset(String)
    }

    /// Creates a request.
    public init(
        extensionName: String, values: [String: String] = [:], reset: Bool = false,
        step: Int? = nil, preset: String? = nil
    ) {
        self.extensionName = extensionName
        self.values = values
        self.reset = reset
        self.step = step
        self.preset = preset
    }
}

/// The result of an edit of one photograph.
public struct EditResult: Sendable {
    /// The state that an extension received as its input.
    public enum Input: String, Sendable {
        /// The original, because there was no edit yet or the first one was replaced.
        case original
        /// The state below the edit that was continued.
        case previous
        /// The state with all edits.
        case current
    }

    /// The outcome of an edit.
    public enum Status: String, Sendable {
        /// The output and the recipe are stored in the library.
        case committed
        /// The edit changed nothing, so nothing was committed.
        case unchanged
    }

    /// The local identifier of the asset.
    public let assetIdentifier: String
    /// The identifier of the extension.
    public let extensionIdentifier: String
    /// The state that the extension received as its input.
    public var input: Input
    /// The identifier of the new edit, or nil if nothing was committed.
    public var editIdentifier: String?
    /// The SHA-256 of the new rendition, or nil if nothing was committed.
    public var rendition: SHA256Digest?
    /// The outcome of the edit.
    public var status: Status
    /// Whether an existing edit was continued, rather than a new one added.
    package var isUpdate = false
    /// Warnings for the user, such as metadata of the original that is missing from the new rendition.
    public var warnings: [String] = []
}
