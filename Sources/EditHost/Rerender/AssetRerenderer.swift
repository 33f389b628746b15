// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerProtocol

/// Decides whether renditions are stale, records the reasons at the same time, and re-renders them.
struct AssetRerenderer: Sendable {
    let renderer: Renderer
    private let library: PhotoLibrary
    let options: RerenderOptions
    /// The claims of the processes that are rendering; `nil` if nothing is rendered here.
    private let claims: AssetClaims?
    /// The memory limit for concurrent renders; `nil` for no limit.
    private let memory: MemoryBudget?
    /// With `force`, renditions made after this time are not re-rendered again.
    private let start = Date()

    init(_ renderer: Renderer, _ library: PhotoLibrary, _ options: RerenderOptions) throws {
        self.library = library
        var renderer = renderer
        renderer.videoWork.progress = options.progressHandler
        self.renderer = renderer
        self.options = options
        claims = options.dryRun ? nil : try AssetClaims(library)
        memory = options.memory.map { MemoryBudget(limit: $0) }
    }

    private var planner: StatePlanner { renderer.planner }

    /// Decides whether the renditions of an asset are stale, without rendering.
    func verdict(_ identifier: String) async -> RerenderResult {
        await attempt(identifier, dryRun: true)
    }

    /// Re-renders the stale renditions of an asset. Returns `nil` if another process is rendering them.
    ///
    /// - Parameter known: The verdict on the asset, if it has been decided already.
    func rerender(
        _ identifier: String, _ known: RerenderResult? = nil
    ) async -> RerenderResult? {
        let verdict = if let known { known } else { await verdict(identifier) }
        guard verdict.status == .stale, let claims else { return verdict }
        guard let claim = claims.take(identifier) else { return nil }
        // Each rendition is compared again, because another process may have rendered it before the claim.
        let result = await rendered(identifier)
        return withExtendedLifetime(claim) { result }
    }

    private func rendered(_ identifier: String) async -> RerenderResult {
        guard let memory else { return await attempt(identifier, dryRun: false) }
        let bytes = (try? library.history(ofAsset: identifier).renderingMemory) ?? 0
        return await memory.using(bytes) { await attempt(identifier, dryRun: false) }
    }

    /// Re-renders the stale renditions of an asset once no other process is rendering them. After the time limit of a
    /// claim, it renders regardless, because the other process may be suspended. That is safe: both processes make
    /// the same picture, and the same row names it.
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
        if tip.editingExtension == nil, tip.base == nil,
            library.storedPicture(of: history.chain) != nil
        {
            return result(identifier, .upToDate, "an application wrote the picture")
        }
        // A lossless result that cannot be re-rendered can still be encoded again.
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
        // Read again: the steps above a new base now start from it.
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

    /// Re-renders the lossless result of a step if it is stale.
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
        // A picture that an application wrote without a stored base, such as a video.
        if tip.editingExtension == nil, tip.base == nil,
            library.storedPicture(of: history.chain) != nil
        {
            return []
        }
        let plan = try planner.plan(history.chain, of: history)
        try requireNoLoss(tip.current, plan, history)
        return try await rerender(
            tip, tip.current, .current, plan, .rendition(of: plan.originalFacts), of: history,
            dryRun)
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

    /// Throws an error if rendering is certain to fail.
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
        _ = try library.openOriginal(plan.originalResource, for: .rendering)
    }

    /// Returns the reasons why a stored rendition must be re-rendered; empty if it is up to date.
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
        // The clock may have been wrong when the rendition was made.
        let isNew = stored.createdDate >= start && stored.createdDate <= Date()
        return options.force && !isNew ? ["forced"] : []
    }
}
