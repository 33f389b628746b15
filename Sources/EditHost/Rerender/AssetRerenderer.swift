// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library

/// Re-renders the stale renditions of assets.
struct AssetRerenderer: Sendable {
    let renderer: Renderer
    let library: PhotoLibrary
    let options: RerenderOptions
    /// The claims of the processes that are rendering; `nil` if nothing is rendered here.
    private let claims: AssetClaims?
    /// The memory limit for concurrent renders; `nil` for no limit.
    private let memory: MemoryBudget?
    /// The measured rendering speeds, for later plans.
    let rates: RenderingRates
    /// With `force`, renditions made after this time are not re-rendered again.
    private let start = Date()

    init(_ renderer: Renderer, _ library: PhotoLibrary, _ options: RerenderOptions) throws {
        self.library = library
        var renderer = renderer
        renderer.videoCallbacks.progress = options.progressHandler
        self.renderer = renderer
        self.options = options
        rates = RenderingRates(library)
        claims = options.dryRun ? nil : try AssetClaims(library)
        memory = options.memory.map { MemoryBudget(limit: $0) }
    }

    var targets: RenditionTargets {
        RenditionTargets(planner: renderer.planner, library: library)
    }

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

    /// Re-renders the stale renditions of an asset once no other process has claimed it. After the time limit of a
    /// claim, it renders regardless, because a suspended process keeps its claim.
    ///
    /// Claims only avoid duplicate work. If both processes commit, they store the same bytes for the same key, because
    /// edits that are not reproducible are never rendered again.
    func waitAndRerender(
        _ identifier: String, since start: ContinuousClock.Instant, _ limits: ClaimTimeouts
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
        let stale = try await staleRenditions(
            of: try library.history(ofAsset: identifier), checks: dryRun)
        if stale.renditions.isEmpty { return result(identifier, .upToDate, stale.reason) }
        if dryRun { return result(identifier, .stale, stale.reason) }
        let reasons = try await render(stale)
        if reasons.isEmpty { return result(identifier, .upToDate, "nothing has changed") }
        return result(identifier, .rendered, reasons.joined(separator: "; "))
    }

    private func result(
        _ identifier: String, _ status: RerenderResult.Status, _ reason: String
    ) -> RerenderResult {
        RerenderResult(assetIdentifier: identifier, status: status, reason: reason)
    }

    /// Renders and commits the stale renditions of an asset.
    ///
    /// - Returns: The reasons why they were stale.
    private func render(_ stale: StaleAsset) async throws -> [String] {
        var reasons: [String] = []
        for planned in stale.renditions {
            var rendition = planned
            if planned.lower != nil {
                // Read again: the steps above a new base now start from it.
                let history = try library.history(ofAsset: stale.history.asset.localIdentifier)
                guard let now = try await self.rendition(planned.place, of: history, above: [])
                else { continue }
                rendition = now
            }
            let start = ContinuousClock.now
            let content = try await renderer.content(of: rendition.plan, rendition.settings)
            rates.note(
                start.duration(to: .now) / .seconds(1), of: [(rendition.plan, rendition.settings)])
            let (kind, edit) = (rendition.kind, rendition.edit.identifier)
            try await library.performChanges {
                try AssetChangeRequest(for: stale.history.asset)
                    .replaceRendition(content, kind: kind, ofEdit: edit)
            }
            reasons += rendition.reasons
        }
        return reasons
    }

    /// Throws an error if rendering is certain to fail.
    ///
    /// - Parameter hasBase: Whether the stored picture that rendering starts from is rendered before.
    func requireWhatIsNeeded(_ plan: StatePlan, hasBase: Bool) throws {
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
            guard hasBase || library.containsBlob(plan.base) else {
                throw HostError(
                    .cannotRender, "the stored picture that rendering starts from is missing",
                    asset: plan.assetIdentifier)
            }
            return
        }
        // The video of a Motion Photo is not copied out of its file.
        _ = try library.openOriginal(plan.originalResource.file, for: renderer.purpose)
    }

    /// Returns the reasons why a stored rendition must be re-rendered; empty if it is up to date.
    func staleness(
        of stored: Rendition?, _ ingredients: RenditionIngredients, _ key: SHA256Digest
    ) -> [String] {
        guard let stored else { return ["it is not stored"] }
        guard library.containsBlob(stored.blob) else { return ["its file is missing"] }
        if stored.key != key {
            let reasons =
                RenditionIngredients(of: stored).map { ingredients.differences(from: $0) } ?? []
            return reasons.isEmpty ? ["it is not known how it was rendered"] : reasons
        }
        // The clock may have been wrong when the rendition was made.
        let isNew = stored.createdDate >= start && stored.createdDate <= Date()
        return options.force && !isNew ? ["forced"] : []
    }
}
