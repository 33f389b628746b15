// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import Logging
import RunnerProtocol

/// Takes an extension through an edit of one photograph, up to the point of commitment.
struct EditPreparation: Sendable {
    let host: ExtensionHost
    let library: PhotoLibrary
    let request: EditRequest
    let binary: ExtensionBinary
    let values: [String: ParameterValue]
    let cancellation: EditCancellation

    private var renderer: Renderer { host.renderer(of: library) }
    private var planner: StatePlanner { renderer.planner }

    /// An edit that is ready to be committed, or that has nothing to commit.
    struct Prepared: Sendable {
        let history: AssetHistory
        let input: EditResult.Input
        /// Nil: nothing has changed.
        let output: ContentEditingOutput?
    }

    /// Edits an asset, without changing the library.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    func prepare(_ assetIdentifier: String) async throws -> Prepared {
        try await withSession(for: assetIdentifier) { history, session, continued in
            try await edit(history, session, continued)
        }
    }

    /// Renders what the edit would look like, at display size.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    func preview(
        _ assetIdentifier: String, _ settings: EncodeSettings
    ) async throws -> EncodedOutput.Picture {
        try await withSession(for: assetIdentifier) { history, session, continued in
            let input = try ContentEditingInput(
                history: history, placement: placement(continuing: continued, in: history))
            let plan = try planner.plan(input.below, of: history)
            let renderer = host.renderer(of: library, for: .preview)
            let base = try await begin(session, input, plan, with: renderer)
            guard session.isIsolated else {
                return try await session.preview(EncodedOutput(settings))
            }
            let pixels = Renderer.Base(
                pixels: try await session.preview(session.pixels), over: base)
            return try await renderer.run([], over: pixels, of: plan, EncodedOutput(settings))
        }
    }

    /// Opens a session, asks about the recipe, and closes the session whatever happens.
    private func withSession<Value: Sendable>(
        for assetIdentifier: String,
        _ body: (AssetHistory, EditingSession, _ continued: Edit?) async throws -> Value
    ) async throws -> Value {
        let history = try library.history(ofAsset: assetIdentifier)
        do {
            try requireSupport(for: history.asset)
            let target = try target(in: history)
            let (session, continues) = try await begin(history, asking: target)
            cancellation.follow(session)
            let result: Result<Value, any Error>
            do {
                result = .success(try await body(history, session, continues ? target : nil))
            } catch {
                result = .failure(error)
            }
            cancellation.forget(session)
            await session.close()
            return try result.get()
        } catch let error as HostError {
            // A runner that was stopped for the cancellation has not failed.
            try cancellation.check()
            throw error.naming(asset: assetIdentifier)
        }
    }

    private func requireSupport(for asset: Asset) throws {
        guard !binary.manifest.supportedMediaTypes.contains(asset.mediaType) else { return }
        throw HostError(
            .unsupportedMediaType,
            "the extension \(binary.manifest.identifier) does not edit assets of type "
                + asset.mediaType.name,
            extension: binary.manifest.identifier)
    }

    /// The edit whose recipe may be continued.
    private func target(in history: AssetHistory) throws -> Edit? {
        guard let step = request.step else { return history.chain.last }
        guard (1...max(1, history.chain.count)).contains(step), !history.chain.isEmpty else {
            throw HostError(
                .badRequest,
                "there is no edit \(step); the photograph has \(history.chain.count)")
        }
        return history.chain[step - 1]
    }

    /// Opens a session and asks the extension about the recipe. An extension that crashes over
    /// the question, or takes too long, has said no; it gets a new session.
    private func begin(
        _ history: AssetHistory, asking target: Edit?
    ) async throws -> (EditingSession, continues: Bool) {
        let below = runnableBinaries(of: history.chain)
        let session = try await EditingSession(binary, inputExtensions: below, pool: host.pool)
        guard let target else { return (session, false) }
        let continues: Bool
        do {
            continues = try await session.canHandle(target.adjustmentData)
        } catch {
            await session.close()
            try cancellation.check()
            host.logger.warning(
                """
                \(binary.manifest.identifier) failed when asked whether it can continue an edit, \
                which counts as no: \(error)
                """)
            try requireContinuation(false, of: target)
            return (
                try await EditingSession(binary, inputExtensions: below, pool: host.pool), false
            )
        }
        do {
            try requireContinuation(continues, of: target)
        } catch {
            await session.close()
            throw error
        }
        return (session, continues)
    }

    /// The binaries of the edits in a chain whose extensions are installed.
    private func runnableBinaries(of chain: [Edit]) -> [ExtensionBinary] {
        StatePlan.unique(
            chain.compactMap { edit in
                edit.editingExtension.flatMap {
                    try? host.extensions.binary(identifier: $0.identifier)
                }
            })
    }

    /// Reopening an edit by its number needs an extension that can continue it.
    private func requireContinuation(_ continues: Bool, of target: Edit) throws {
        guard let step = request.step, !continues else { return }
        let author = target.editingExtension?.identifier ?? "an application"
        throw HostError(
            .cannotRender,
            "\(binary.manifest.identifier) cannot continue edit \(step), made by \(author) "
                + "in the format \(target.adjustmentData.formatIdentifier)",
            extension: binary.manifest.identifier)
    }

    private func edit(
        _ history: AssetHistory, _ session: EditingSession, _ continued: Edit?
    ) async throws -> Prepared {
        let input = try ContentEditingInput(
            history: history, placement: placement(continuing: continued, in: history))
        let plan = try planner.plan(input.below, of: history)
        let base = try await begin(session, input, plan, with: renderer)
        let kind: EditResult.Input =
            input.below.isEmpty ? .original : continued == nil ? .current : .previous
        guard let finished = try await session.finish() else {
            return Prepared(history: history, input: kind, output: nil)
        }
        let recipe = try adjustmentData(finished)
        if let continued, continued.adjustmentData == recipe,
            continued.editingExtension?.identifier == binary.manifest.identifier
        {
            return Prepared(history: history, input: kind, output: nil)
        }
        var output = ContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = recipe
        output.editingExtension = binary.identity
        let new = StatePlan.Step(
            binary: binary, adjustmentData: recipe, storesResult: finished.file != nil)
        try await render(&output, session, finished, plan, new, over: base)
        if let buffer = base.buffer { host.pool.buffers.giveBack(buffer) }
        try cancellation.check()
        return Prepared(history: history, input: kind, output: output)
    }

    private func placement(
        continuing continued: Edit?, in history: AssetHistory
    ) -> ContentEditingInput.Placement {
        guard continued != nil else { return .appending }
        guard let step = request.step, step != history.chain.count else { return .replacingLast }
        return .reopening(step: step)
    }

    /// Starts the edit, with the values that the user wants.
    private func begin(
        _ session: EditingSession, _ input: ContentEditingInput, _ plan: StatePlan,
        with renderer: Renderer
    ) async throws -> Renderer.Base {
        let base = try await start(session, input, plan, with: renderer)
        try cancellation.check()
        let changes = request.reset ? binary.manifest.defaultValues : [:]
        let wanted = changes.merging(values) { _, named in named }
        if !wanted.isEmpty { _ = try await session.setParameters(wanted) }
        return base
    }

    private func adjustmentData(_ finished: FinishedEdit) throws -> AdjustmentData {
        do {
            return try finished.adjustmentData.checked()
        } catch {
            throw HostError(
                .extensionFailed, "its output cannot be committed: \(error)",
                extension: binary.manifest.identifier, underlying: error)
        }
    }
}

// MARK: - Output

extension EditPreparation {
    /// Renders the new current version: straight from the session where the new edit is the
    /// last and its output is an image; else by running the whole chain.
    private func render(
        _ output: inout ContentEditingOutput, _ session: EditingSession,
        _ finished: FinishedEdit, _ plan: StatePlan, _ new: StatePlan.Step,
        over base: Renderer.Base
    ) async throws {
        var whole = plan
        whole.steps.append(new)
        whole.steps += try output.input.above.map { try upper($0, of: output.input.history) }
        let settings = EncodeSettings.rendition(of: plan.originalFacts)
        if !output.input.above.isEmpty || new.storesResult && finished.file == nil {
            let (current, bases) = try await renderer.content(of: whole)
            let offset = output.input.below.count - plan.steps.count
            output.renderedContent = current
            output.baseRenditions = Dictionary(
                uniqueKeysWithValues: bases.map { (offset + $0.key + 1, $0.value) })
        } else if let file = finished.file {
            let stored = try await lossless(file, from: session, whole)
            let above = whole.above(whole.steps.count - 1, over: stored)
            output.baseRenditions = [output.input.below.count + 1: stored]
            output.renderedContent = try await renderer.content(
                of: above, settings, over: stored)
        } else {
            let encoded = try await pull(session, settings, whole, over: base)
            output.renderedContent = try await renderer.content(encoded, settings, whole)
        }
    }

    /// The verified file that an extension wrote, as the lossless result of its step.
    private func lossless(
        _ file: WrittenFile, from session: EditingSession, _ whole: StatePlan
    ) async throws -> RenderedContent {
        let base = try await renderer.verified(
            try await session.takeWrittenFile(), file, by: binary)
        let settings = EncodeSettings.base(of: whole.originalFacts)
        let encoded = try await renderer.run([], over: base, of: whole, EncodedOutput(settings))
        return try await renderer.content(encoded, settings, whole)
    }

    private func pull(
        _ session: EditingSession, _ settings: EncodeSettings, _ whole: StatePlan,
        over base: Renderer.Base
    ) async throws -> EncodedOutput.Picture {
        if session.isIsolated {
            let pixels = Renderer.Base(pixels: try await session.render(session.pixels), over: base)
            return try await renderer.run([], over: pixels, of: whole, EncodedOutput(settings))
        }
        do {
            return try await session.render(EncodedOutput(settings))
        } catch let error as HostError {
            try await renderer.requireSoundness(of: base, after: error, whole.binaries)
            guard error.underlying is RunnerDeath, error.extensionIdentifier == nil,
                whole.binaries.count > 1,
                !cancellation.isCancelled, !Task.isCancelled
            else { throw error }
            // Several extensions shared the runner: running the chain finds the culprit.
            return try await renderer.picture(of: whole, settings)
        }
    }

    /// An edit above the reopened one, to be run again.
    private func upper(_ edit: Edit, of history: AssetHistory) throws -> StatePlan.Step {
        if let obstacle = planner.obstacle(to: edit) {
            throw HostError(
                .cannotRender,
                "a later edit cannot be applied again, so this one cannot be "
                    + "reopened: \(obstacle.message)",
                extension: edit.editingExtension?.identifier, underlying: obstacle)
        }
        return try planner.step(edit)
    }
}
