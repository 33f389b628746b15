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

    /// Edits that can be applied again, as steps.
    ///
    /// - Throws: `HostError`, saying why one cannot.
    func steps(_ edits: [Edit]) throws -> [StatePlan.Step] {
        try edits.map(renderer.planner.step)
    }

    /// What the user should know of recipes that belong to one picture, such as a crop.
    static func warnings(of steps: [StatePlan.Step]) -> [String] {
        StatePlan.unique(steps.map(\.binary)).filter(\.manifest.contentBound).map {
            "the edit with \($0.manifest.identifier) was made for another picture; see that it fits"
        }
    }

    /// Renders a chain.
    ///
    /// - Parameters:
    ///   - kept: how many edits of the asset's chain stay at its beginning.
    ///   - steps: those above them.
    /// - Throws: `HostError`, naming the extension that failed; `LibraryError`.
    func chain(
        _ kept: Int, _ steps: [StatePlan.Step], of history: AssetHistory
    ) async throws -> NewEditChain {
        let below = Array(history.chain.prefix(kept))
        guard !steps.isEmpty else {
            let rendered = try await host.missing(below, of: history, in: library)
            return NewEditChain(
                history: history, keptCount: kept, steps: [], renderedContent: rendered)
        }
        let editsMotion =
            !stillOnly && history.pairedVideo != nil && below.allSatisfy(\.coversMotion)
        try requireSupport(steps, for: history, editsMotion: editsMotion)
        var plan = try renderer.planner.plan(below, of: history)
        let offset = kept - plan.steps.count
        plan.steps += steps
        var (current, bases) = try await renderer.content(of: plan)
        if editsMotion, let motion = history.motion {
            var plan = try renderer.planner.plan(Array(motion.chain.prefix(kept)), of: motion)
            plan.steps += steps
            current.otherParts = [try await renderer.content(of: plan).current]
        }
        try renderer.requireUnchangedOriginal(of: plan)
        return NewEditChain(
            history: history, keptCount: kept,
            steps: steps.map { step in
                NewEditChain.Step(
                    step.identity, step.adjustmentData,
                    files: step.files.map { StagedEditFile($0.description) })
            }, renderedContent: current,
            baseRenditions: Dictionary(
                uniqueKeysWithValues: bases.map { (offset + $0.key + 1, $0.value) }))
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
                    "the extension \(manifest.identifier) does not edit assets of type "
                        + asset.mediaType.name, asset: asset.localIdentifier,
                    extension: manifest.identifier)
            }
            guard !editsMotion || types.contains(.video) else {
                throw HostError(
                    .unsupportedMediaType,
                    "this is a Live Photo, and the extension \(manifest.identifier) does not edit videos; with "
                        + "--still-only the still is edited, and the motion goes until the edit is undone",
                    asset: asset.localIdentifier, extension: manifest.identifier)
            }
        }
    }
}
