// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// Determines which renditions of an asset a re-render keeps up to date.
struct RenditionTargets: Sendable {
    let planner: StatePlanner
    let library: PhotoLibrary

    /// Returns the reason why no rendition of an asset is ever re-rendered; `nil` if some may be.
    ///
    /// - Throws: `HostError` with `cannotRender` if the last edit cannot be applied again.
    func reasonForNone(_ history: AssetHistory) throws -> String? {
        guard let tip = history.chain.last else { return "no edits" }
        if isApplicationPicture(tip, history) { return "an application wrote the picture" }
        // A lossless result that cannot be re-rendered can still be encoded again.
        let isBase = (tip.editingExtension == nil || !tip.isReproducible) && tip.base != nil
        guard !isBase, let obstacle = planner.obstacle(to: tip) else { return nil }
        throw HostError(
            .cannotRender,
            "the last edit cannot be applied again: \(obstacle.message)\(Self.help(obstacle))",
            asset: history.asset.localIdentifier, extension: obstacle.extensionIdentifier,
            underlying: obstacle)
    }

    /// Returns the rendition at a place of an asset; `nil` if there is none, or if it is never re-rendered.
    ///
    /// - Throws: `HostError` with `cannotRender`.
    func target(
        _ place: StaleRendition.Place, of history: AssetHistory
    ) throws -> RenditionTarget? {
        switch place {
        case .base(let edit):
            let index = history.chain.firstIndex { $0.identifier == edit }
            return try index.flatMap { try base(at: $0, of: history) }
        case .current: return try current(of: history)
        case .motion:
            guard history.hasMotion, let motion = history.motion else { return nil }
            return try current(of: motion)
        }
    }

    private func base(at index: Int, of history: AssetHistory) throws -> RenditionTarget? {
        let edit = history.chain[index]
        guard let stored = edit.base, planner.obstacle(to: edit) == nil else { return nil }
        let chain = Array(history.chain[...index])
        let plan = try planner.plan(rerunning: chain, of: history)
        return RenditionTarget(
            edit: edit, chain: chain, stored: stored, plan: plan,
            settings: .base(of: plan.originalFacts))
    }

    private func current(of history: AssetHistory) throws -> RenditionTarget? {
        guard let tip = history.chain.last, !isApplicationPicture(tip, history) else { return nil }
        let plan = try planner.plan(history.chain, of: history)
        try requireNoLoss(tip.current, plan, history)
        return RenditionTarget(
            edit: tip, chain: history.chain, stored: tip.current, plan: plan,
            settings: .rendition(of: plan.originalFacts))
    }

    /// Whether an application wrote the picture without a stored base, such as a video.
    private func isApplicationPicture(_ tip: Edit, _ history: AssetHistory) -> Bool {
        tip.editingExtension == nil && tip.base == nil
            && library.storedPicture(of: history.chain) != nil
    }

    /// Returns advice for an edit that cannot be applied again.
    private static func help(_ obstacle: HostError) -> String {
        obstacle.code == .noSuchExtension
            ? "; install it with edithost extensions install, or replace it with edithost "
                + "extensions replace"
            : ""
    }

    /// Rejects a render from an encoded picture if the stored rendition was rendered from a lower step, before an
    /// extension was removed.
    private func requireNoLoss(
        _ stored: Rendition?, _ plan: StatePlan, _ history: AssetHistory
    ) throws {
        guard let stored, library.containsBlob(stored.blob),
            RenditionIngredients(of: stored)?.base != plan.base,
            let obstacle = planner.obstacle(in: history.chain)
        else { return }
        throw HostError(
            .cannotRender,
            "an earlier edit cannot be applied again: \(obstacle.message)\(Self.help(obstacle))",
            asset: plan.assetIdentifier, extension: obstacle.extensionIdentifier,
            underlying: obstacle)
    }
}
