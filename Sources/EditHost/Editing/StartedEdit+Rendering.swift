// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost
import RunnerProtocol

/// Rendering the result of a finished session.
extension StartedEdit {
    /// Renders the new current version, and lossless results to store.
    ///
    /// The recipe determines the rendition, so that it can be re-rendered at any time. Whether the recipe
    /// reproduces the session's picture is tested once for each build of an extension. If it does
    /// not, the session's picture is stored, and later states start from that.
    /// See docs/design/decisions/0028-non-reproducible-edits.md.
    ///
    /// - Parameters:
    ///   - steps: The new step and those above it.
    ///   - isReproducible: Set to false if the recipe does not reproduce the picture.
    func render(
        _ finished: FinishedEdit, _ steps: [StatePlan.Step], over base: Renderer.Base,
        isReproducible: inout Bool
    ) async throws -> EditChainRendering.Pictures {
        var whole = plan
        whole.steps += steps
        let tested = try await test(finished, whole, over: base)
        if tested == nil, host.reproducibility.isReproducing(binary) == true {
            return try await renderAgain(finished, whole, over: base)
        }
        let settings = EncodeSettings.base(of: plan.originalFacts)
        guard let tested else {
            isReproducible = false
            let own = try await ownPicture(settings, finished, whole, over: base)
            return try await store(own, whole)
        }
        isReproducible = tested.isReproducing
        let index = plan.steps.count
        guard isReproducible, !whole.steps[index].storesResult else {
            let own = try await encoded(tested.picture, settings, whole.upTo(index))
            return try await store(own, whole)
        }
        guard whole.steps.count == index + 1 else { return try await renderer.content(of: whole) }
        // The test has shown that the recipe renders this picture, so it need not be rendered again.
        let rendition = EncodeSettings.rendition(of: plan.originalFacts)
        let own = try await encoded(tested.picture, rendition, whole)
        return (try await renderer.content(own, rendition, whole), [:])
    }

    /// Returns the rendition of the step from ``step()``, rendered from the session's pixels.
    ///
    /// Returns nil if the edit stack has to be run instead: the extension is not known to be reproducible, or the
    /// session has no stored pixels and would run the stack anyway.
    func rendered(_ new: StatePlan.Step) async throws -> RenderedContent? {
        var whole = plan
        whole.steps.append(new)
        guard session.isUntrusted, plan.originalFacts.video == nil,
            !preparation.editsMotion(of: input),
            !whole.steps.contains(where: \.storesResult),
            host.reproducibility.isReproducing(binary) == true
        else { return nil }
        let settings = EncodeSettings.rendition(of: plan.originalFacts)
        let picture = try await rendered(settings, whole, over: start.base)
        return try await renderer.content(picture, settings, whole)
    }

    /// A renderer for videos, with progress and cancellation because they take long.
    var videoRenderer: Renderer {
        var renderer = renderer
        let cancellation = cancellation
        renderer.videoCallbacks.check = { try cancellation.check() }
        if let handler = preparation.progressHandler {
            let progress = ProgressReports(of: history.asset.localIdentifier, to: handler)
            renderer.videoCallbacks.progress = { _, done in progress.report(done) }
        }
        return renderer
    }

    /// Renders the result of a recipe that is known to be reproducible. Uses the session directly if the new edit is
    /// the last one and its output is an image. Otherwise runs the whole edit stack.
    private func renderAgain(
        _ finished: FinishedEdit, _ whole: StatePlan, over base: Renderer.Base
    ) async throws -> EditChainRendering.Pictures {
        let index = plan.steps.count
        if whole.steps.count > index + 1 || whole.steps[index].storesResult && finished.file == nil
        {
            return try await renderer.content(of: whole)
        }
        guard finished.file == nil else {
            let own = try await ownPicture(
                .base(of: plan.originalFacts), finished, whole, over: base)
            return try await store(own, whole)
        }
        let settings = EncodeSettings.rendition(of: plan.originalFacts)
        let encoded = try await rendered(settings, whole, over: base)
        return (try await renderer.content(encoded, settings, whole), [:])
    }

    /// Returns the step that re-applies an edit above the reopened one.
    func upper(_ edit: Edit) throws -> ChainStep {
        guard edit.isEnabled else { return ChainStep(edit, nil) }
        if let obstacle = renderer.planner.obstacle(to: edit) {
            throw HostError(
                .cannotRender,
                "a later edit cannot be applied again, so this one cannot be "
                    + "reopened: \(obstacle.message)",
                extension: edit.editingExtension?.identifier, underlying: obstacle)
        }
        return ChainStep(edit, try renderer.planner.step(edit))
    }
}

// MARK: - The session's own picture

extension StartedEdit {
    /// Returns whether the recipe reproduces the session's picture, as far as can be determined.
    func isReproducible(
        _ new: StatePlan.Step, _ finished: FinishedEdit, over base: Renderer.Base
    ) async throws -> Bool {
        // The frames of a video are always rendered from the recipe.
        guard plan.originalFacts.video == nil else { return true }
        var whole = plan
        whole.steps.append(new)
        let tested = try await test(finished, whole, over: base)
        return tested?.isReproducing ?? (host.reproducibility.isReproducing(binary) == true)
    }

    /// Tests whether the recipe reproduces the session's picture, unless that is known for the build.
    ///
    /// - Returns: The session's picture as an uncompressed TIFF, and the result; nil if it was known.
    private func test(
        _ finished: FinishedEdit, _ whole: StatePlan, over base: Renderer.Base
    ) async throws -> (picture: EncodedOutput.Picture, isReproducing: Bool)? {
        try await host.reproducibility.test(binary) {
            // Compressing two full-size pictures would take many times as long as rendering them.
            var settings = EncodeSettings.base(of: plan.originalFacts)
            settings.isUncompressed = true
            let own = try await ownPicture(settings, finished, whole, over: base)
            return (own, try await gives(own, again: whole, settings))
        }
    }

    /// Returns a TIFF of the session's picture in another encoding.
    private func encoded(
        _ picture: EncodedOutput.Picture, _ settings: EncodeSettings, _ plan: StatePlan
    ) async throws -> EncodedOutput.Picture {
        let base = Renderer.Base(bytes: picture.bytes, kind: .encoded(.tiff))
        return try await renderer.run([], over: base, of: plan, EncodedOutput(settings))
    }

    /// Returns the session's own result, losslessly encoded: the pixels of its image, or the verified file.
    private func ownPicture(
        _ settings: EncodeSettings, _ finished: FinishedEdit, _ whole: StatePlan,
        over base: Renderer.Base
    ) async throws -> EncodedOutput.Picture {
        // The session has not applied the edits above this one.
        let whole = whole.upTo(plan.steps.count)
        guard let file = finished.file else {
            return try await rendered(settings, whole, over: base)
        }
        let verified = try await renderer.verified(
            try await session.takeWrittenFile(), file, by: binary)
        return try await renderer.run([], over: verified, of: whole, EncodedOutput(settings))
    }

    /// Stores the session's picture and renders the edits above over it.
    private func store(
        _ picture: EncodedOutput.Picture, _ whole: StatePlan
    ) async throws -> EditChainRendering.Pictures {
        let index = plan.steps.count
        let stored = try await renderer.content(
            picture, .base(of: plan.originalFacts), whole.upTo(index))
        let above = whole.above(index, over: stored)
        let (current, bases) = try await renderer.content(of: above, over: stored)
        var all = [index: stored]
        for (place, base) in bases { all[index + 1 + place] = base }
        return (current, all)
    }

    /// Compares the session's picture with the recipe's, and stores the result for the build.
    private func gives(
        _ own: EncodedOutput.Picture, again whole: StatePlan, _ settings: EncodeSettings
    ) async throws -> Bool {
        let recipe = whole.upTo(plan.steps.count)
        let isReproducing: Bool
        do {
            let again = try await renderer.picture(of: recipe, settings)
            isReproducing = try own.bytes.hasBytes(of: again.bytes)
        } catch let error as HostError
            where error.extensionIdentifier == binary.manifest.identifier
            && error.code != .cancelled
        {
            host.logger.warning("cannot render an edit again from its recipe: \(error)")
            // A runner that died, for example from a lack of memory, proves nothing about the build.
            if error.underlying is RunnerDeath { return false }
            isReproducing = false
        }
        try cancellation.check()
        host.reproducibility.remember(isReproducing, of: binary)
        return isReproducing
    }

    private func rendered(
        _ settings: EncodeSettings, _ whole: StatePlan, over base: Renderer.Base
    ) async throws -> EncodedOutput.Picture {
        if session.isUntrusted {
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
            // Several extensions shared the runner: running the steps separately identifies the one that failed.
            return try await renderer.picture(of: whole, settings)
        }
    }
}
