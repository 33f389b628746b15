// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// Applies the recipes of an edit stack to an asset, without a session.
struct EditChainRendering: Sendable {
    let host: ExtensionHost
    let library: PhotoLibrary
    /// Whether only the still of a Live Photo is rendered.
    let stillOnly: Bool

    private var renderer: Renderer { host.renderer(of: library, for: .rendering) }

    /// Returns the steps that re-apply edits. A disabled edit is not applied, so its extension need not be installed.
    ///
    /// - Throws: `HostError` with the reason if an edit cannot be re-applied.
    func steps(_ edits: [Edit]) throws -> [ChainStep] {
        try edits.map { edit in
            ChainStep(edit, edit.isEnabled ? try renderer.planner.step(edit) : nil)
        }
    }

    /// Returns warnings for the user about recipes that were made for a different photograph, such as a crop.
    static func warnings(of steps: [ChainStep]) -> [String] {
        StatePlan.unique(steps.compactMap(\.applied?.binary)).filter(\.manifest.contentBound).map {
            "the edit with \($0.manifest.identifier) was made for a different photograph; "
                + "check that it still fits"
        }
    }

    /// Returns warnings about edits that stay, if the framing of the picture below them changes.
    func warnings(of history: AssetHistory, keeping kept: Int, _ steps: [ChainStep]) -> [String] {
        FramingWarnings(history, host.extensions).warnings(
            history.chain.prefix(kept).filter(\.isEnabled).map(FramingWarnings.Place.init)
                + steps.compactMap(FramingWarnings.Place.init))
    }

    /// Renders an edit stack.
    ///
    /// - Parameters:
    ///   - kept: the number of edits at the bottom of the asset's edit stack that stay.
    ///   - steps: the steps above them.
    ///   - rendered: the rendition of the stack, if it exists already and no step stores a rendition of its own.
    ///   - stillOnly: whether to render only the still of a Live Photo; nil: as ``stillOnly``.
    /// - Throws: `HostError` with the extension that failed; `LibraryError`.
    func chain(
        _ kept: Int, _ steps: [ChainStep], of history: AssetHistory,
        rendered: RenderedContent? = nil, stillOnly: Bool? = nil
    ) async throws -> NewEditChain {
        let below = Array(history.chain.prefix(kept))
        guard !steps.isEmpty else {
            let rendered = try await host.missing(below, of: history, in: library)
            return NewEditChain(
                history: history, keptCount: kept, steps: [], renderedContent: rendered)
        }
        let editsMotion =
            !(stillOnly ?? self.stillOnly) && history.pairedVideo != nil
            && below.allSatisfy(\.coversMotion)
        let applied = steps.compactMap(\.applied)
        try requireSupport(applied, for: history, editsMotion: editsMotion)
        var plan = try renderer.inputPlan(below, of: history)
        let planned = plan.steps.count
        plan.steps += applied
        var (current, bases) =
            if let rendered { (rendered, [Int: RenderedContent]()) } else {
                try await renderer.content(of: plan)
            }
        if editsMotion, let motion = history.motion {
            var plan = try renderer.planner.plan(Array(motion.chain.prefix(kept)), of: motion)
            plan.steps += applied
            current.otherParts = [try await renderer.content(of: plan).current]
        }
        try renderer.requireUnchangedOriginal(of: plan)
        return NewEditChain(
            history: history, keptCount: kept,
            steps: steps.map(\.stored), renderedContent: current,
            baseRenditions: StatePlan.byPlace(
                bases, ofStepsAbove: planned, below.map(\.isEnabled),
                steps.map { $0.applied != nil }))
    }

    private func requireSupport(
        _ steps: [StatePlan.Step], for history: AssetHistory, editsMotion: Bool
    ) throws {
        let asset = history.asset
        for manifest in steps.map(\.binary.manifest) {
            let types = manifest.supportedMediaTypes
            guard types.contains(asset.mediaType) else {
                throw HostError(
                    .unsupportedMediaType,
                    "the extension \(manifest.identifier) cannot edit assets of type "
                        + asset.mediaType.name, asset: asset.localIdentifier,
                    extension: manifest.identifier)
            }
            guard !editsMotion || types.contains(.video) else {
                throw HostError(
                    .unsupportedMediaType,
                    "the extension \(manifest.identifier) cannot edit the video of a Live "
                        + "Photo; use --still-only to edit only the still, which hides the "
                        + "motion until the edit is undone",
                    asset: asset.localIdentifier, extension: manifest.identifier)
            }
        }
    }
}

extension [ChainStep] {
    /// Returns whether the steps equal edits in their recipes and in the builds of their extensions.
    func areThose(of edits: [Edit]) -> Bool {
        count == edits.count
            && zip(self, edits).allSatisfy { step, edit in
                let stored = step.stored
                return stored.adjustmentData == edit.adjustmentData
                    && stored.files.map(\.description) == edit.files
                    && stored.editingExtension == edit.editingExtension
                    && (step.applied != nil) == edit.isEnabled
            }
    }
}
