// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerProtocol

extension ExtensionHost {
    /// Makes the current renditions of assets again from their stored recipes, where they are
    /// not what the recipes give with the installed extensions.
    ///
    /// - Parameters:
    ///   - identifiers: the assets.
    ///   - force: make them again even so.
    ///   - dryRun: only say what would be done.
    ///   - jobs: how many at once.
    ///   - report: told of every asset in order.
    /// - Throws: what `report` throws; failures of assets are reported.
    public func rerender(
        _ identifiers: [String], in library: PhotoLibrary, force: Bool = false,
        dryRun: Bool = false, jobs: Int, report: (RerenderResult) async throws -> Void
    ) async throws {
        let rerendering = Rerendering(
            renderer: renderer(of: library), force: force, dryRun: dryRun)
        try await forEachOrdered(
            identifiers, limit: jobs, { await rerendering.rerender($0) }, deliver: report)
    }
}

/// What became of the re-rendering of one asset.
public struct RerenderResult: Sendable {
    /// How it ended.
    public enum Status: String, Sendable {
        /// Its rendition was made again.
        case rendered
        /// Its rendition would be made again: this was a dry run.
        case stale
        /// Its rendition is what its recipes give; or it has no edits.
        case upToDate
        /// Its rendition could not be made.
        case failed
    }

    /// The asset.
    public let assetIdentifier: String
    /// How it ended.
    public let status: Status
    /// Why it is stale, or why it failed.
    public let reason: String
    /// What failed.
    public var error: (any Error)?
}

/// Decides whether renditions are stale, says why in the same breath, and makes them again.
struct Rerendering: Sendable {
    let renderer: Renderer
    let force: Bool
    let dryRun: Bool

    private var planner: StatePlanner { renderer.planner }
    private var library: PhotoLibrary { renderer.library }

    func rerender(_ identifier: String) async -> RerenderResult {
        do {
            return try await attempt(identifier)
        } catch {
            return RerenderResult(
                assetIdentifier: identifier, status: .failed, reason: "\(error)", error: error)
        }
    }

    private func attempt(_ identifier: String) async throws -> RerenderResult {
        let history = try library.history(ofAsset: identifier)
        guard let tip = history.chain.last else {
            return result(identifier, .upToDate, "it has no edits")
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
                .cannotRender, "its last edit cannot be applied again: \(obstacle.message)",
                asset: identifier, extension: obstacle.extensionIdentifier, underlying: obstacle)
        }
        var reasons: [String] = []
        for index in history.chain.indices where history.chain[index].base != nil {
            reasons += try await rerenderBase(index, of: history)
        }
        // Read again: a new base is what the steps above it start from now.
        let current = reasons.isEmpty ? history : try library.history(ofAsset: identifier)
        reasons += try await rerenderCurrent(of: current)
        if current.hasMotion, let motion = current.motion {
            reasons += try await rerenderCurrent(of: motion).map { "its video: \($0)" }
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
    private func rerenderBase(_ index: Int, of history: AssetHistory) async throws -> [String] {
        let edit = history.chain[index]
        guard let stored = edit.base, planner.obstacle(to: edit) == nil else { return [] }
        let plan = try planner.plan(rerunning: Array(history.chain[...index]), of: history)
        return try await rerender(
            edit, stored, .base, plan, .base(of: plan.originalFacts), of: history)
    }

    private func rerenderCurrent(of history: AssetHistory) async throws -> [String] {
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
            tip, tip.current, .current, plan, .rendition(of: plan.originalFacts), of: history)
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
            .cannotRender, "an earlier edit cannot be applied again: \(obstacle.message)",
            asset: plan.assetIdentifier, extension: obstacle.extensionIdentifier,
            underlying: obstacle)
    }

    private func ingredients(of stored: Rendition) -> RenditionIngredients? {
        try? JSONDecoder().decode(RenditionIngredients.self, from: stored.ingredients)
    }

    private func rerender(
        _ edit: Edit, _ stored: Rendition?, _ kind: Rendition.Kind, _ plan: StatePlan,
        _ settings: EncodeSettings, of history: AssetHistory
    ) async throws -> [String] {
        let ingredients = plan.ingredients(
            settings: settings, try await renderer.versions(settings))
        let reasons = try staleness(of: stored, ingredients)
        if reasons.isEmpty || dryRun { return reasons }
        let content = try await renderer.content(of: plan, settings)
        try await library.performChanges {
            try AssetChangeRequest(for: history.asset)
                .replaceRendition(content, kind: kind, ofEdit: edit.identifier)
        }
        return reasons
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
            return reasons.isEmpty ? ["what it was made of is not known"] : reasons
        }
        return force ? ["forced"] : []
    }
}
