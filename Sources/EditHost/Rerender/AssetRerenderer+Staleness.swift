// SPDX-License-Identifier: Apache-2.0

import Library
import RunnerHost
import RunnerProtocol

/// Decides whether renditions are stale, and records the reasons at the same time.
extension AssetRerenderer {
    /// Returns the stale renditions of an asset, with the reasons.
    ///
    /// - Parameter checks: Whether to throw an error if rendering is certain to fail.
    /// - Throws: `HostError` if a stale rendition cannot be rendered; `LibraryError`.
    func staleRenditions(of history: AssetHistory, checks: Bool) async throws -> StaleAsset {
        var asset = StaleAsset(history: history)
        if let reason = try targets.reasonForNone(history) {
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

    /// Returns a rendition if it is stale, or if it may be after the base below it is rendered.
    ///
    /// - Parameter earlier: The renditions of the asset that are rendered before.
    func rendition(
        _ place: StaleRendition.Place, of history: AssetHistory, above earlier: [StaleRendition],
        checks: Bool = false
    ) async throws -> StaleRendition? {
        guard let target = try targets.target(place, of: history) else { return nil }
        let (chain, plan, settings) = (target.chain, target.plan, target.settings)
        let ingredients = plan.ingredients(
            settings: settings, try await renderer.versions(settings))
        let key = try ingredients.key
        let reasons = staleness(of: target.stored, ingredients, key)
        let lower =
            place == .motion ? nil : Self.index(ofBaseOf: plan, place, chain, in: earlier)
        if reasons.isEmpty, lower == nil { return nil }
        if checks { try requireWhatIsNeeded(plan, hasBase: lower != nil) }
        return StaleRendition(
            place: place, edit: target.edit,
            stepEdits: chain.filter(\.isEnabled).suffix(plan.steps.count), plan: plan,
            settings: settings, ingredients: ingredients, key: key,
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
