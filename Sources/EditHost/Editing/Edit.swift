// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import Synchronization

extension ExtensionHost {
    /// How often an edit is begun again when somebody else has changed the asset meanwhile.
    private static let maximumAttempts = 3

    /// Edits photographs with one extension and commits the results as one change, all or none.
    ///
    /// - Parameters:
    ///   - assetIdentifiers: the assets, each once.
    ///   - request: what is wanted.
    ///   - cancellation: cancels it from elsewhere.
    ///   - progressHandler: told how far the edits are whose extension says so. Where one has to be
    ///     begun again, because somebody else has changed the photograph meanwhile, it starts again.
    ///   - finished: told of each asset in order whose edit is ready to be committed.
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
        // One for the extension, one for the pictures that it must not read.
        if !preparation.binary.isTrusted { await pool.warmUp(2) }
        let wanted = preparation
        return try await retryingConflicts { attempt in
            let prepared = try await prepare(
                assetIdentifiers, wanted, finished: attempt == 1 ? finished : { _ in })
            return try await commit(prepared, with: wanted.binary, in: library)
        }
    }

    /// Begins work again, up to three times, where somebody else has changed an asset meanwhile.
    func retryingConflicts<Result>(_ body: (Int) async throws -> Result) async throws -> Result {
        for attempt in 1..<Self.maximumAttempts {
            do {
                return try await body(attempt)
            } catch let error as LibraryError where error.code == .conflict {
                logger.info("retrying the edit: \(error)")
                // Not all at once, or the same ones meet again.
                try await Task.sleep(for: .milliseconds(Int.random(in: 5...40) * attempt))
            }
        }
        return try await body(Self.maximumAttempts)
    }

    /// Edits photographs with one extension, and commits each by itself. Several are edited side by side.
    ///
    /// - Parameters:
    ///   - assetIdentifiers: the assets, each once.
    ///   - request: what is wanted.
    ///   - cancellation: cancels it from elsewhere; what is committed stays.
    ///   - progressHandler: as of ``edit(_:_:in:cancellation:progressHandler:finished:)``.
    ///   - report: told of each asset in order, with what became of it.
    /// - Throws: what `report` throws; `CancellationError` where some were not begun.
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

    /// Prepares several edits side by side: while one photograph is computed, another is decoded.
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
            // All or none.
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
    /// - Throws: `LibraryError`, with `conflict` where one of the assets has changed since its edit was begun.
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

/// What a user wants done to a photograph.
public struct EditRequest: Sendable {
    /// The extension's identifier, or the unique last part of one.
    public var extensionName: String
    /// Values of parameters, as text; those not named keep the recipe's values.
    public var values: [String: String]
    /// The name of a preset, whose values count where ``values`` has none; nil: none.
    public var preset: String?
    /// Start from the default values instead of the recipe's.
    public var reset: Bool
    /// The edit of the chain to reopen, counted from 1; nil: the last one.
    public var step: Int?
    /// Of a Live Photo: edit the still and leave the motion behind, until the edit is undone.
    public var stillOnly = false
    /// What the edit starts from, in place of the recipe that it continues or the default values; nil: these.
    public var recipe: Recipe?

    /// A recipe that comes from elsewhere.
    public enum Recipe: Sendable {
        /// A file, by its path: a JSON object of values of parameters, or a recipe as the extension writes it.
        case file(String)
        /// That of the last edit with the extension that an asset has.
        case asset(String)
    }

    /// Makes a request.
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

/// What became of the edit of one photograph.
public struct EditResult: Sendable {
    /// What an extension was given as its input.
    public enum Input: String, Sendable {
        /// The original: there was no edit yet, or the first one was replaced.
        case original
        /// The state before the edit that was continued.
        case previous
        /// The state with all edits.
        case current
    }

    /// How it ended.
    public enum Status: String, Sendable {
        /// Output and recipe are in the library.
        case committed
        /// Nothing has changed, so nothing was committed.
        case unchanged
    }

    /// The asset.
    public let assetIdentifier: String
    /// The extension.
    public let extensionIdentifier: String
    /// What the extension was given.
    public var input: Input
    /// The identifier of the new edit.
    public var editIdentifier: String?
    /// The hash of the new rendition's bytes.
    public var rendition: SHA256Digest?
    /// How it ended.
    public var status: Status
    /// Whether an edit was continued, rather than added.
    package var isUpdate = false
    /// Things worth telling the user: what of the original's metadata is not in the new rendition.
    public var warnings: [String] = []
}
