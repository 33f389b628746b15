// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost
import RunnerProtocol

extension StartedEdit {
    /// Finishes the edit and renders the new current version.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    func finish() async throws -> PreparedEdit {
        guard let (finished, new, base) = try await end(), !isContinued(new) else {
            return named(PreparedEdit(unchanged: history))
        }
        var steps = [try chainStep(new)] + (try input.above.map(upper))
        var pictures: EditChainRendering.Pictures?
        // The frames of a video are always rendered from the recipe.
        if plan.originalFacts.video == nil {
            pictures = try await render(
                finished, steps.compactMap(\.applied), over: base,
                isReproducible: &steps[0].stored.isReproducible)
        }
        var rendering = EditChainRendering(
            host, preparation.library, stillOnly: !preparation.editsMotion(of: input))
        rendering.renderer = videoRenderer
        let chain = try await rendering.chain(
            input.below.count, steps, of: history, over: plan, rendered: pictures)
        recyclePixels()
        try cancellation.check()
        return named(PreparedEdit(chain, of: history, warnings: warnings(steps)))
    }

    private func named(_ prepared: PreparedEdit) -> PreparedEdit {
        var prepared = prepared
        prepared.extensionIdentifier = binary.manifest.identifier
        prepared.input = kindOfInput
        prepared.isUpdate = input.replaced != nil
        return prepared
    }

    private func warnings(_ steps: [ChainStep]) -> [String] {
        var warnings: [String] = []
        if steps.count > 1 {
            warnings += FramingWarnings(history, host.extensions)
                .warnings(input.below.count, steps)
        }
        warnings += [uncontinuedEdit].compactMap(\.self)
        if lacksOriginal {
            warnings.append(
                "added a second edit to the current video instead of updating the last one, "
                    + "because the original is not available; use undo to remove the second edit")
        }
        if !steps[0].stored.isReproducible {
            warnings.append(
                "\(binary.manifest.identifier) is not reproducible (it does not render the "
                    + "same picture again from its recipe); the picture is kept, and "
                    + "rerender skips it")
        }
        return warnings
    }

    /// A warning if the last edit was made by another version of the extension, in a format that this version does
    /// not support. The new edit is then added above it instead of continuing it.
    private var uncontinuedEdit: String? {
        let manifest = binary.manifest
        guard continued == nil, let last = input.below.last,
            last.isEnabled, let author = last.editingExtension,
            author.identifier == manifest.identifier, author.version != manifest.version
        else { return nil }
        let recipe = last.adjustmentData
        let known = manifest.reads + manifest.upgrades + manifest.writes
        guard !known.contains(where: { $0.matches(recipe) }) else { return nil }
        return
            "added a second edit instead of updating the last one: it was made with "
            + "\(author.identifier) \(author.version), in the format "
            + "\(recipe.formatIdentifier) \(recipe.formatVersion), which "
            + "\(manifest.version) does not read; use undo to remove the second edit"
    }

    /// Finishes the edit and returns only its recipe.
    ///
    /// - Returns: The edit as a step, or nil if there is nothing to commit.
    /// - Throws: `HostError` with `cannotRender` if the extension does not reproduce its picture from the recipe.
    func step() async throws -> ChainStep? {
        guard let (finished, new, base) = try await end() else { return nil }
        guard try await isReproducible(new, finished, over: base) else {
            throw HostError(
                .cannotRender,
                "\(binary.manifest.identifier) is not reproducible, so its picture has to be "
                    + "kept with the edit; apply it in a command of its own, without --replace",
                extension: binary.manifest.identifier)
        }
        return try chainStep(new)
    }

    /// Finishes the edit and returns the step that applies its recipe, or nil if there is nothing to commit.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    func recipeStep() async throws -> StatePlan.Step? { try await end()?.1 }

    /// Ends the session's edit. Returns its output, the step that applies its recipe, and the base of its pixels, or
    /// nil if there is nothing to commit.
    private func end() async throws -> (FinishedEdit, StatePlan.Step, Renderer.Base)? {
        let base = try await fullSize()
        try cancellation.check()
        guard let finished = try await session.finish() else { return nil }
        let step = StatePlan.Step(
            binary: binary, adjustmentData: finished.adjustmentData,
            storesResult: finished.file != nil, files: session.files.named)
        return (finished, step, base)
    }

    /// Returns whether the edit that is continued has the same recipe already.
    private func isContinued(_ new: StatePlan.Step) -> Bool {
        guard let continued else { return false }
        return continued.adjustmentData == new.adjustmentData
            && continued.files == new.files.map(\.description)
            && continued.editingExtension?.identifier == binary.manifest.identifier
            && continued.isEnabled && continued.coversMotion == preparation.editsMotion(of: input)
    }

    private func chainStep(_ new: StatePlan.Step) throws -> ChainStep {
        let files = try new.files.map {
            try preparation.stagedFiles.staged($0, in: preparation.library)
        }
        return ChainStep(new, files: files, inPlaceOf: continued)
    }
}
