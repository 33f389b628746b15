// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerProtocol

/// Decides whether renditions are stale, says why in the same breath, and makes them again.
struct Rerendering: Sendable {
    let renderer: Renderer
    let force: Bool
    let dryRun: Bool
    /// What other processes are rendering; nil: nothing is rendered here.
    let claims: AssetClaims?
    /// What pictures may take that are rendered at one time; nil: it is not counted.
    let memory: MemoryBudget?
    /// What was rendered since then is not rendered again because somebody wants everything to be.
    private let start = Date()

    init(
        renderer: Renderer, force: Bool, dryRun: Bool, claims: AssetClaims?, memory: MemoryBudget?
    ) {
        self.renderer = renderer
        self.force = force
        self.dryRun = dryRun
        self.claims = claims
        self.memory = memory
    }

    private var planner: StatePlanner { renderer.planner }
    private var library: PhotoLibrary { renderer.library }

    /// What became of an asset that nothing has to be done for.
    func result(_ identifier: String, _ finding: RerenderSurvey.Finding) -> RerenderResult {
        switch finding {
        case .unedited: result(identifier, .upToDate, "no edits")
        case .unchanged: result(identifier, .upToDate, "nothing has changed")
        case .looked(let result): result
        }
    }

    /// What would become of an asset.
    func looked(_ identifier: String) async -> RerenderResult {
        await attempt(identifier, dryRun: true)
    }

    /// Makes the renditions of an asset again that are stale; nil: another process is rendering them.
    func rerender(_ identifier: String) async -> RerenderResult? {
        let looked = await looked(identifier)
        guard looked.status == .stale, let claims else { return looked }
        guard let claim = claims.take(identifier) else { return nil }
        let result = await rendered(identifier)
        return withExtendedLifetime(claim) { result }
    }

    private func rendered(_ identifier: String) async -> RerenderResult {
        guard let memory else { return await attempt(identifier, dryRun: false) }
        let bytes = (try? library.history(ofAsset: identifier).renderingMemory) ?? 0
        return await memory.using(bytes) { await attempt(identifier, dryRun: false) }
    }

    /// The same, once no other process is rendering them; after the time that a claim counts for, whatever that one does: it may
    /// be stopped. Both make the same picture, and the same row names it.
    func waitAndRerender(
        _ identifier: String, since start: ContinuousClock.Instant, _ limits: ClaimLimits
    ) async -> RerenderResult {
        let isVideo = (try? library.history(ofAsset: identifier)).map {
            $0.asset.mediaType == .video || $0.hasMotion
        }
        let limit = isVideo == true ? limits.video : limits.picture
        while true {
            if let result = await rerender(identifier) { return result }
            if start.duration(to: .now) >= limit { return await rendered(identifier) }
            do {
                try await Task.sleep(for: .milliseconds(50))
            } catch {
                return RerenderResult(
                    assetIdentifier: identifier, status: .failed, reason: "\(error)", error: error)
            }
        }
    }

    private func attempt(_ identifier: String, dryRun: Bool) async -> RerenderResult {
        do {
            return try await self.result(identifier, dryRun)
        } catch {
            return RerenderResult(
                assetIdentifier: identifier, status: .failed, reason: "\(error)", error: error)
        }
    }

    private func result(
        _ identifier: String, _ dryRun: Bool
    ) async throws -> RerenderResult {
        let history = try library.history(ofAsset: identifier)
        guard let tip = history.chain.last else {
            return result(identifier, .upToDate, "no edits")
        }
        if tip.editingExtension == nil, tip.base == nil, let stored = tip.current,
            library.containsBlob(stored.blob)
        {
            return result(identifier, .upToDate, "an application wrote the picture")
        }
        // What was stored without loss, and is not drawn again, can be encoded again.
        let isBase = (tip.editingExtension == nil || !tip.isReproducible) && tip.base != nil
        if !isBase, let obstacle = planner.obstacle(to: tip) {
            throw HostError(
                .cannotRender,
                "the last edit cannot be applied again: \(obstacle.message)\(Self.help(obstacle))",
                asset: identifier, extension: obstacle.extensionIdentifier, underlying: obstacle)
        }
        var reasons: [String] = []
        for index in history.chain.indices where history.chain[index].base != nil {
            reasons += try await rerenderBase(index, of: history, dryRun)
        }
        // Read again: a new base is what the steps above it start from now.
        let current = reasons.isEmpty ? history : try library.history(ofAsset: identifier)
        reasons += try await rerenderCurrent(of: current, dryRun)
        if current.hasMotion, let motion = current.motion {
            reasons += try await rerenderCurrent(of: motion, dryRun).map { "its video: \($0)" }
        }
        if reasons.isEmpty { return result(identifier, .upToDate, "nothing has changed") }
        return result(
            identifier, dryRun ? .stale : .rendered, reasons.joined(separator: "; "))
    }

    private func result(
        _ identifier: String, _ status: RerenderResult.Status, _ reason: String
    ) -> RerenderResult {
        RerenderResult(assetIdentifier: identifier, status: status, reason: reason)
    }

    /// Makes the lossless result of a step again if it is stale.
    private func rerenderBase(
        _ index: Int, of history: AssetHistory, _ dryRun: Bool
    ) async throws -> [String] {
        let edit = history.chain[index]
        guard let stored = edit.base, planner.obstacle(to: edit) == nil else { return [] }
        let plan = try planner.plan(rerunning: Array(history.chain[...index]), of: history)
        return try await rerender(
            edit, stored, .base, plan, .base(of: plan.originalFacts), of: history, dryRun)
    }

    private func rerenderCurrent(
        of history: AssetHistory, _ dryRun: Bool
    ) async throws -> [String] {
        guard let tip = history.chain.last else { return [] }
        // What an application wrote, and nothing is kept below, such as a video.
        if tip.editingExtension == nil, tip.base == nil, let stored = tip.current,
            library.containsBlob(stored.blob)
        {
            return []
        }
        let plan = try planner.plan(history.chain, of: history)
        try requireNoLoss(tip.current, plan, history)
        return try await rerender(
            tip, tip.current, .current, plan, .rendition(of: plan.originalFacts), of: history,
            dryRun)
    }

    /// What can be done about an edit that cannot be applied again.
    private static func help(_ obstacle: HostError) -> String {
        obstacle.code == .noSuchExtension
            ? "; install it with edithost extensions install, or replace it with edithost "
                + "extensions replace"
            : ""
    }

    /// What was rendered from further below, before an extension went, is not replaced by what
    /// can be made of an encoded picture.
    private func requireNoLoss(
        _ stored: Rendition?, _ plan: StatePlan, _ history: AssetHistory
    ) throws {
        guard let stored, library.containsBlob(stored.blob),
            ingredients(of: stored)?.base != plan.base,
            let obstacle = planner.obstacle(in: history.chain)
        else { return }
        throw HostError(
            .cannotRender,
            "an earlier edit cannot be applied again: \(obstacle.message)\(Self.help(obstacle))",
            asset: plan.assetIdentifier, extension: obstacle.extensionIdentifier,
            underlying: obstacle)
    }

    private func ingredients(of stored: Rendition) -> RenditionIngredients? {
        try? JSONDecoder().decode(RenditionIngredients.self, from: stored.ingredients)
    }

    private func rerender(
        _ edit: Edit, _ stored: Rendition?, _ kind: Rendition.Kind, _ plan: StatePlan,
        _ settings: EncodeSettings, of history: AssetHistory, _ dryRun: Bool
    ) async throws -> [String] {
        let ingredients = plan.ingredients(
            settings: settings, try await renderer.versions(settings))
        let reasons = try staleness(of: stored, ingredients)
        if reasons.isEmpty { return [] }
        if dryRun {
            try requireWhatIsNeeded(plan)
            return reasons
        }
        let content = try await renderer.content(of: plan, settings)
        try await library.performChanges {
            try AssetChangeRequest(for: history.asset)
                .replaceRendition(content, kind: kind, ofEdit: edit.identifier)
        }
        return reasons
    }

    /// Refuses what rendering would fail for, as far as that can be known before.
    private func requireWhatIsNeeded(_ plan: StatePlan) throws {
        for step in plan.steps {
            let manifest = step.binary.manifest
            let data = step.adjustmentData
            guard
                (manifest.reads + manifest.upgrades + manifest.writes).contains(where: {
                    $0.matches(data)
                })
            else {
                throw HostError(
                    .cannotRender,
                    "\(manifest.identifier) \(manifest.version) does not declare the recipe "
                        + "format \(data.formatIdentifier) \(data.formatVersion); install a "
                        + "version that does",
                    asset: plan.assetIdentifier, extension: manifest.identifier)
            }
        }
        guard plan.base == plan.original else {
            guard library.containsBlob(plan.base) else {
                throw HostError(
                    .cannotRender, "the stored picture that rendering starts from is missing",
                    asset: plan.assetIdentifier)
            }
            return
        }
        _ = try library.openOriginal(plan.originalResource, for: .drawing)
    }

    /// Why a stored rendition has to be made again; empty where it has not.
    private func staleness(
        of stored: Rendition?, _ ingredients: RenditionIngredients
    ) throws -> [String] {
        guard let stored else { return ["it is not stored"] }
        guard library.containsBlob(stored.blob) else { return ["its file is missing"] }
        if try stored.key != ingredients.key {
            let reasons =
                self.ingredients(of: stored).map { ingredients.differences(from: $0) } ?? []
            return reasons.isEmpty ? ["it is not known how it was rendered"] : reasons
        }
        // A clock may have been wrong when it was made.
        let isNew = stored.createdDate >= start && stored.createdDate <= Date()
        return force && !isNew ? ["forced"] : []
    }
}
