// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// Rendering what a session has finished.
extension StartedEdit {
    /// Renders the new current version.
    ///
    /// What the recipe gives is what counts, so that the picture can be made again at any time. Whether
    /// that is what the session gives is found out once for each build of an extension; where it is
    /// not, the session's picture is stored, and later states start from that.
    /// See docs/design/decisions/0028-non-reproducible-edits.md.
    func render(
        _ output: inout ContentEditingOutput, _ finished: FinishedEdit, _ new: StatePlan.Step,
        over base: Renderer.Base
    ) async throws {
        var whole = plan
        whole.steps.append(new)
        whole.steps += try upper(output.input)
        // Its frames come from the recipe in any case.
        if plan.originalFacts.video != nil {
            let (current, bases) = try await videoRenderer.content(of: whole)
            return set(current, bases, of: &output)
        }
        let isReproducing = host.reproducibility.isReproducing(binary)
        guard isReproducing != true else {
            return try await renderAgain(&output, finished, whole, over: base)
        }
        let own = try await ownPicture(finished, whole, over: base)
        output.isReproducible = false
        if isReproducing == nil { output.isReproducible = try await gives(own, again: whole) }
        guard output.isReproducible, !new.storesResult else {
            return try await store(own, of: &output, whole)
        }
        let (current, bases) = try await renderer.content(of: whole)
        set(current, bases, of: &output)
    }

    /// The picture of the step that ``step()`` gave, from the pixels that the session has, where the chain is known to give
    /// the same; nil: the chain has to be run. A session without pixels of its own would run it, too.
    func rendered(_ new: StatePlan.Step) async throws -> RenderedContent? {
        var whole = plan
        whole.steps.append(new)
        guard session.isIsolated, plan.originalFacts.video == nil,
            !preparation.editsMotion(of: input),
            !whole.steps.contains(where: \.storesResult),
            host.reproducibility.isReproducing(binary) == true
        else { return nil }
        let settings = EncodeSettings.rendition(of: plan.originalFacts)
        let picture = try await pull(settings, whole, over: start.base)
        return try await renderer.content(picture, settings, whole)
    }

    /// Renders the video of a Live Photo with the recipes of its still.
    func renderMotion(of output: inout ContentEditingOutput, _ new: StatePlan.Step) async throws {
        guard preparation.editsMotion(of: output.input), let motion = history.motion else { return }
        let below = Array(motion.chain.prefix(output.input.below.count))
        var whole = try renderer.planner.plan(below, of: motion)
        whole.steps.append(new)
        whole.steps += try upper(output.input)
        let video = try await videoRenderer.content(of: whole).current
        output.renderedContent?.otherParts = [video]
    }

    /// What renders a video, which takes long.
    private var videoRenderer: Renderer {
        var renderer = renderer
        let cancellation = cancellation
        renderer.videoWork.check = { try cancellation.check() }
        if let handler = preparation.progressHandler {
            let progress = ProgressReports(of: history.asset.localIdentifier, to: handler)
            renderer.videoWork.progress = { _, done in progress.report(done) }
        }
        return renderer
    }

    /// Renders what a recipe that is known to give the same gives: straight from the session where the
    /// new edit is the last and its output is an image; else by running the whole chain.
    private func renderAgain(
        _ output: inout ContentEditingOutput, _ finished: FinishedEdit, _ whole: StatePlan,
        over base: Renderer.Base
    ) async throws {
        let index = plan.steps.count
        if whole.steps.count > index + 1 || whole.steps[index].storesResult && finished.file == nil
        {
            let (current, bases) = try await renderer.content(of: whole)
            set(current, bases, of: &output)
        } else if finished.file != nil {
            try await store(try await ownPicture(finished, whole, over: base), of: &output, whole)
        } else {
            let settings = EncodeSettings.rendition(of: plan.originalFacts)
            let encoded = try await pull(settings, whole, over: base)
            output.renderedContent = try await renderer.content(encoded, settings, whole)
        }
    }

    private func set(
        _ current: RenderedContent, _ bases: [Int: RenderedContent],
        of output: inout ContentEditingOutput
    ) {
        let input = output.input
        output.renderedContent = current
        output.baseRenditions = StatePlan.byPlace(
            bases, ofStepsAbove: plan.steps.count, input.below.map(\.isEnabled),
            [true] + input.above.map(\.isEnabled))
    }

    /// The edits above the reopened one, to be run again.
    private func upper(_ input: ContentEditingInput) throws -> [StatePlan.Step] {
        try input.above.filter(\.isEnabled).map(upper)
    }

    private func upper(_ edit: Edit) throws -> StatePlan.Step {
        if let obstacle = renderer.planner.obstacle(to: edit) {
            throw HostError(
                .cannotRender,
                "a later edit cannot be applied again, so this one cannot be "
                    + "reopened: \(obstacle.message)",
                extension: edit.editingExtension?.identifier, underlying: obstacle)
        }
        return try renderer.planner.step(edit)
    }
}

// MARK: - The session's own picture

extension StartedEdit {
    /// Whether the recipe gives the session's picture again, as far as that can be known.
    func isReproducible(
        _ new: StatePlan.Step, _ finished: FinishedEdit, over base: Renderer.Base
    ) async throws -> Bool {
        // The frames of a video come from the recipe in any case.
        guard plan.originalFacts.video == nil else { return true }
        if let known = host.reproducibility.isReproducing(binary) { return known }
        var whole = plan
        whole.steps.append(new)
        return try await gives(try await ownPicture(finished, whole, over: base), again: whole)
    }

    /// What the session gives, without loss: the pixels of its image, or the verified file.
    private func ownPicture(
        _ finished: FinishedEdit, _ whole: StatePlan, over base: Renderer.Base
    ) async throws -> EncodedOutput.Picture {
        let settings = EncodeSettings.base(of: whole.originalFacts)
        // Edits above it have not been applied.
        let whole = whole.upTo(plan.steps.count)
        guard let file = finished.file else { return try await pull(settings, whole, over: base) }
        let verified = try await renderer.verified(
            try await session.takeWrittenFile(), file, by: binary)
        return try await renderer.run([], over: verified, of: whole, EncodedOutput(settings))
    }

    /// Stores the session's picture, and renders what lies above over it.
    private func store(
        _ picture: EncodedOutput.Picture, of output: inout ContentEditingOutput,
        _ whole: StatePlan
    ) async throws {
        let index = plan.steps.count
        let stored = try await renderer.content(
            picture, .base(of: plan.originalFacts), whole.upTo(index))
        let above = whole.above(index, over: stored)
        let (current, bases) = try await renderer.content(of: above, over: stored)
        var all = [index: stored]
        for (place, base) in bases { all[index + 1 + place] = base }
        set(current, all, of: &output)
    }

    /// Whether the recipe gives the session's picture again.
    private func gives(
        _ own: EncodedOutput.Picture, again whole: StatePlan
    ) async throws -> Bool {
        let recipe = whole.upTo(plan.steps.count)
        let isReproducing: Bool
        do {
            let again = try await renderer.picture(of: recipe, .base(of: plan.originalFacts))
            isReproducing = try own.bytes.hasBytes(of: again.bytes)
        } catch let error as HostError
            where error.extensionIdentifier == binary.manifest.identifier
            && error.code != .cancelled
        {
            host.logger.warning("cannot render an edit again from its recipe: \(error)")
            // A machine that is short of something says nothing about the build.
            if error.underlying is RunnerDeath { return false }
            isReproducing = false
        }
        try cancellation.check()
        host.reproducibility.remember(isReproducing, of: binary)
        return isReproducing
    }

    private func pull(
        _ settings: EncodeSettings, _ whole: StatePlan, over base: Renderer.Base
    ) async throws -> EncodedOutput.Picture {
        if session.isIsolated {
            return try await session.render(
                EncodedOutput(settings), by: renderer, of: whole, over: base)
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
}
