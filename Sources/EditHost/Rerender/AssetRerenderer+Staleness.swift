// SPDX-License-Identifier: Apache-2.0

import Library
import RunnerHost
import RunnerProtocol

/// Decides whether renditions are stale, and records the reasons at the same time.
extension AssetRerenderer {
    /// Returns what is to be rendered of an asset, with the reasons.
    ///
    /// - Parameter checks: Whether to throw an error if rendering is certain to fail.
    /// - Throws: `HostError` if a stale rendition cannot be rendered; `LibraryError`.
    func staleRenditions(of history: AssetHistory, checks: Bool) async throws -> StaleAsset {
        var asset = StaleAsset(history: history)
        if let reason = try reasonToSkip(history) {
            asset.reasonForNone = reason
            return asset
        }
        let bases = history.chain.filter { $0.base != nil }
            .map { StaleRendition.Place.base(edit: $0.identifier) }
        for place in bases + [.current, .motion] {
            let found = try await rendition(
                place, of: history, above: asset.renditions, checks: checks)
            if let found { asset.renditions.append(found) }
        }
        return asset
    }

    private func reasonToSkip(_ history: AssetHistory) throws -> String? {
        guard let tip = history.chain.last else { return "no edits" }
        if isOfApplication(history) { return "an application wrote the picture" }
        // A lossless result that cannot be re-rendered can still be encoded again.
        let isBase = (tip.editingExtension == nil || !tip.isReproducible) && tip.base != nil
        if !isBase, let obstacle = planner.obstacle(to: tip) {
            throw HostError(
                .cannotRender,
                "the last edit cannot be applied again: \(obstacle.message)\(Self.help(obstacle))",
                asset: history.asset.localIdentifier, extension: obstacle.extensionIdentifier,
                underlying: obstacle)
        }
        return nil
    }

    /// Whether the current picture was written by an application without a stored base, such as a video.
    private func isOfApplication(_ history: AssetHistory) -> Bool {
        guard let tip = history.chain.last else { return false }
        return tip.editingExtension == nil && tip.base == nil
            && library.storedPicture(of: history.chain) != nil
    }

    /// Returns a rendition if it is stale, or if it may be after the base below it is rendered.
    ///
    /// - Parameter earlier: The renditions of the asset that are rendered before.
    func rendition(
        _ place: StaleRendition.Place, of history: AssetHistory, above earlier: [StaleRendition],
        checks: Bool = false
    ) async throws -> StaleRendition? {
        switch place {
        case .base(let edit):
            guard let index = history.chain.firstIndex(where: { $0.identifier == edit }),
                planner.obstacle(to: history.chain[index]) == nil
            else { return nil }
            let chain = Array(history.chain[...index])
            let plan = try planner.plan(rerunning: chain, of: history)
            return try await rendition(
                place, chain, history.chain[index].base, plan, .base(of: plan.originalFacts),
                earlier, checks)
        case .current: return try await current(place, history, earlier, checks)
        case .motion:
            guard history.hasMotion, let motion = history.motion else { return nil }
            return try await current(place, motion, [], checks)
        }
    }

    private func current(
        _ place: StaleRendition.Place, _ history: AssetHistory, _ earlier: [StaleRendition],
        _ checks: Bool
    ) async throws -> StaleRendition? {
        guard let tip = history.chain.last, !isOfApplication(history) else { return nil }
        let plan = try planner.plan(history.chain, of: history)
        try requireNoLoss(tip.current, plan, history)
        return try await rendition(
            place, history.chain, tip.current, plan, .rendition(of: plan.originalFacts), earlier,
            checks)
    }

    private func rendition(
        _ place: StaleRendition.Place, _ chain: [Edit], _ stored: Rendition?, _ plan: StatePlan,
        _ settings: EncodeSettings, _ earlier: [StaleRendition], _ checks: Bool
    ) async throws -> StaleRendition? {
        guard let edit = chain.last else { return nil }
        let ingredients = plan.ingredients(
            settings: settings, try await renderer.versions(settings))
        let reasons = try staleness(of: stored, ingredients)
        let lower = Self.index(ofBaseOf: plan, place, chain, in: earlier)
        if reasons.isEmpty, lower == nil { return nil }
        if checks { try requireWhatIsNeeded(plan, hasBase: lower != nil) }
        return StaleRendition(
            place: place, edit: edit,
            stepEdits: chain.filter(\.isEnabled).suffix(plan.steps.count), plan: plan,
            settings: settings, ingredients: ingredients,
            reasons: place == .motion ? reasons.map { "its video: \($0)" } : reasons,
            lower: lower)
    }

    /// Returns the index of the stale rendition that a plan starts from; `nil` if there is none.
    private static func index(
        ofBaseOf plan: StatePlan, _ place: StaleRendition.Place, _ chain: [Edit],
        in earlier: [StaleRendition]
    ) -> Int? {
        var below = chain[...]
        // The last edit of a base is run again, even though its result is stored.
        if case .base = place { below = below.dropLast() }
        guard let base = below.last(where: { $0.isEnabled && $0.base != nil }),
            base.base?.blob == plan.base
        else { return nil }
        return earlier.firstIndex { $0.place == .base(edit: base.identifier) }
    }
}
