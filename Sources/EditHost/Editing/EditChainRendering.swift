// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// Applies the recipes of edits to an asset, one above the other, without a session.
struct EditChainRendering: Sendable {
    let host: ExtensionHost
    let library: PhotoLibrary
    /// Of a Live Photo: the still alone.
    let stillOnly: Bool

    private var renderer: Renderer { host.renderer(of: library, for: .drawing) }

    /// Edits that can be applied again, as steps. Of one that is disabled nothing is applied, so its extension need not
    /// be there.
    ///
    /// - Throws: `HostError`, saying why one cannot.
    func steps(_ edits: [Edit]) throws -> [ChainStep] {
        try edits.map { edit in
            ChainStep(edit, edit.isEnabled ? try renderer.planner.step(edit) : nil)
        }
    }

    /// What the user should know of recipes that belong to one picture, such as a crop.
    static func warnings(of steps: [ChainStep]) -> [String] {
        StatePlan.unique(steps.compactMap(\.applied?.binary)).filter(\.manifest.contentBound).map {
            "the edit with \($0.manifest.identifier) was made for a different photograph; "
                + "check that it still fits"
        }
    }

    /// The same where edits of an asset stay, and the cut of the picture below them changes.
    func warnings(of history: AssetHistory, keeping kept: Int, _ steps: [ChainStep]) -> [String] {
        CutWarnings(history, host.extensions).warnings(
            history.chain.prefix(kept).filter(\.isEnabled).map(CutWarnings.Place.init)
                + steps.compactMap(CutWarnings.Place.init))
    }

    /// Renders a chain.
    ///
    /// - Parameters:
    ///   - kept: how many edits of the asset's chain stay at its beginning.
    ///   - steps: those above them.
    ///   - rendered: its picture, where that is there already, and no step stores one of its own.
    ///   - stillOnly: of a Live Photo, the still alone; nil: as this says of all.
    /// - Throws: `HostError`, naming the extension that failed; `LibraryError`.
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
        var plan = try renderer.planner.plan(below, of: history)
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

/// An edit of a chain that an asset is to have.
struct ChainStep: Sendable {
    /// How it is applied; nil: it is disabled.
    let applied: StatePlan.Step?
    /// What is stored of it.
    let stored: NewEditChain.Step
    /// The edit of the asset that it is, or takes the place of; nil: it is new.
    let origin: String?

    /// A new edit.
    ///
    /// - Parameter old: the edit whose place it takes.
    init(_ step: StatePlan.Step, files: [StagedEditFile]? = nil, inPlaceOf old: Edit? = nil) {
        applied = step
        origin = old?.identifier
        stored = NewEditChain.Step(
            step.identity, step.adjustmentData,
            files: files ?? step.files.map { StagedEditFile($0.description) })
    }

    /// An edit that there is already.
    ///
    /// - Parameter applied: how it is applied; nil: it is disabled.
    init(_ edit: Edit, _ applied: StatePlan.Step?) {
        self.init(edit, applied, applied?.identity ?? edit.editingExtension)
    }

    /// The same in the place of an edit of the asset.
    func inPlace(of edit: Edit) -> ChainStep {
        ChainStep(applied: applied, stored: stored, origin: edit.identifier)
    }

    private init(applied: StatePlan.Step?, stored: NewEditChain.Step, origin: String?) {
        self.applied = applied
        self.stored = stored
        self.origin = origin
    }

    /// A disabled edit that another extension takes.
    init(disabled edit: Edit, takenBy identity: EditingExtensionIdentity) {
        self.init(edit, nil, identity)
    }

    private init(
        _ edit: Edit, _ applied: StatePlan.Step?, _ identity: EditingExtensionIdentity?
    ) {
        self.applied = applied
        origin = edit.identifier
        stored = NewEditChain.Step(
            identity, edit.adjustmentData,
            isReproducible: applied != nil || edit.isReproducible, isEnabled: applied != nil,
            files: edit.files.map { StagedEditFile($0) })
    }
}

extension [ChainStep] {
    /// Whether the recipes of edits are the same, by the same builds of extensions.
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
