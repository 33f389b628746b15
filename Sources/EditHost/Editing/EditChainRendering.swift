// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// Renders the new edit stack of an asset: the existing edits that are kept, and new steps above them.
struct EditChainRendering: Sendable {
    /// The result of a stack, and the lossless results of steps by their index in the plan.
    typealias Pictures = (current: RenderedContent, bases: [Int: RenderedContent])

    let host: ExtensionHost
    let library: PhotoLibrary
    var renderer: Renderer
    /// Whether only the still of a Live Photo is rendered.
    var stillOnly: Bool

    init(_ host: ExtensionHost, _ library: PhotoLibrary, stillOnly: Bool) {
        self.host = host
        self.library = library
        self.stillOnly = stillOnly
        renderer = host.renderer(of: library, for: .rendering)
    }

    /// Returns the steps that re-apply edits. A disabled edit is not applied, so its extension need not be installed.
    ///
    /// - Throws: `HostError` with the reason if an edit cannot be re-applied.
    func steps(_ edits: [Edit]) throws -> [ChainStep] {
        try edits.map { edit in
            ChainStep(edit, edit.isEnabled ? try renderer.planner.step(edit) : nil)
        }
    }

    /// Returns warnings for the user about recipes that were made for a different photo, such as a crop.
    static func warnings(of steps: [ChainStep]) -> [String] {
        StatePlan.unique(steps.compactMap(\.applied?.binary)).filter(\.manifest.contentBound).map {
            "the edit with \($0.manifest.identifier) was made for a different photo; "
                + "check that it still fits"
        }
    }

    /// Renders an edit stack.
    ///
    /// - Parameters:
    ///   - kept: The number of edits at the bottom of the asset's edit stack that stay.
    ///   - steps: The steps above them.
    ///   - planned: The plan of the kept edits, if it has already been made.
    ///   - rendered: The pictures of the stack, if they have already been rendered.
    /// - Throws: `HostError` with the extension that failed; `LibraryError`.
    func chain(
        _ kept: Int, _ steps: [ChainStep], of history: AssetHistory, over planned: StatePlan? = nil,
        rendered: Pictures? = nil
    ) async throws -> NewEditChain {
        let below = Array(history.chain.prefix(kept))
        guard !steps.isEmpty else {
            let rendered = try await host.missing(below, of: history, in: library)
            return NewEditChain(
                history: history, keptCount: kept, steps: [], renderedContent: rendered)
        }
        let editsMotion =
            !stillOnly && history.pairedVideo != nil && below.allSatisfy(\.coversMotion)
        let applied = steps.compactMap(\.applied)
        for step in applied {
            try step.binary.manifest.requireSupport(for: history.asset, editsMotion: editsMotion)
        }
        var plan = try planned ?? renderer.inputPlan(below, of: history, in: library)
        let count = plan.steps.count
        plan.steps += applied
        var (current, bases) =
            if let rendered { rendered } else { try await renderer.content(of: plan) }
        if editsMotion, let motion = history.motion {
            var plan = try renderer.planner.plan(Array(motion.chain.prefix(kept)), of: motion)
            plan.steps += applied
            current.otherParts = [try await renderer.content(of: plan).current]
        }
        try renderer.requireUnchangedOriginal(of: plan)
        return NewEditChain(
            history: history, keptCount: kept, steps: steps.map(\.stored),
            renderedContent: current,
            baseRenditions: StatePlan.byPlace(
                bases, ofStepsAbove: count, below.map(\.isEnabled), steps.map(\.stored.isEnabled)))
    }
}
