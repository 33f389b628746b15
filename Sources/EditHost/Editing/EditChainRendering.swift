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

    /// The names of the extensions whose recipes belong to one picture, such as a crop.
    func bound(_ edits: [Edit]) throws -> [String] {
        try StatePlan.unique(edits.map { try renderer.planner.step($0).binary })
            .filter(\.manifest.contentBound).map(\.manifest.identifier)
    }

    /// Renders a chain.
    ///
    /// - Parameters:
    ///   - kept: how many edits of the asset's chain stay at its beginning.
    ///   - edits: those above them; of any asset.
    /// - Throws: `HostError`, naming the extension that failed; `LibraryError`.
    func chain(
        _ kept: Int, _ edits: [Edit], of history: AssetHistory
    ) async throws -> NewEditChain {
        let below = Array(history.chain.prefix(kept))
        guard !edits.isEmpty else {
            let rendered = try await host.missing(below, of: history, in: library)
            return NewEditChain(
                history: history, keptCount: kept, steps: [], renderedContent: rendered)
        }
        let steps = try edits.map(renderer.planner.step)
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
            steps: zip(edits, steps).map { edit, step in
                NewEditChain.Step(
                    step.identity, edit.adjustmentData,
                    files: edit.files.map { StagedEditFile($0) })
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
