// SPDX-License-Identifier: Apache-2.0

import Library

extension ExtensionHost {
    /// Makes the current renditions of assets again from their stored recipes, where they are
    /// not what the recipes give with the installed extensions.
    ///
    /// - Parameters:
    ///   - identifiers: the assets.
    ///   - force: make them again even so.
    ///   - dryRun: only say what would be done.
    ///   - jobs: how many at once.
    ///   - memory: how many bytes the pictures that are rendered at one time may take, by their sizes; nil: as many as
    ///     `jobs` take. One that is larger by itself is rendered alone.
    ///   - progressHandler: told how far the videos are.
    ///   - waiting: told of how many other processes are rendering, once all others are done.
    ///   - planned: told, before anything is rendered, what is going to be done; what it throws ends the work. Nil: it
    ///     is not planned as a whole.
    ///   - report: told of every asset in order; last of those that other processes were rendering.
    /// - Throws: what `planned` and `report` throw; failures of assets are reported.
    public func rerender(
        _ identifiers: [String], in library: PhotoLibrary, force: Bool = false,
        dryRun: Bool = false, jobs: Int, memory: Int? = nil,
        progressHandler: EditProgressHandler? = nil, waiting: (Int) -> Void = { _ in },
        planned: ((RerenderPlan) throws -> Void)? = nil,
        report: (RerenderResult) async throws -> Void
    ) async throws {
        let (rerendering, survey) = try rerendering(
            library, force: force, dryRun: dryRun, memory: memory, progressHandler)
        let known = force ? [:] : try await survey.findings(identifiers, jobs: jobs)
        try await rerender(
            identifiers, known, knownCount: known.count, with: rerendering, jobs: jobs,
            waiting: waiting, planned: planned, report: report)
    }

    /// The same for all assets that a fetch finds, with those that are known to be up to date told of as a number.
    ///
    /// - Parameters:
    ///   - options: without a limit.
    ///   - count: how many the fetch finds.
    ///   - upToDate: told, before anything is rendered, how many are up to date and not reported.
    /// - Throws: `LibraryError`; what `planned`, `upToDate` and `report` throw.
    package func rerender(
        matching options: FetchOptions, count: Int, in library: PhotoLibrary, dryRun: Bool = false,
        jobs: Int, memory: Int? = nil, progressHandler: EditProgressHandler? = nil,
        waiting: (Int) -> Void = { _ in }, planned: ((RerenderPlan) throws -> Void)? = nil,
        upToDate: (Int) throws -> Void, report: (RerenderResult) async throws -> Void
    ) async throws {
        let (rerendering, survey) = try rerendering(
            library, force: false, dryRun: dryRun, memory: memory, progressHandler)
        let rows = try await survey.remainingRows(jobs: jobs)
        let rest = try Asset.identifiers(ofRows: rows, in: library, options: options)
        let knownCount = max(0, count - rest.count)
        try upToDate(knownCount)
        try await rerender(
            rest, [:], knownCount: knownCount, with: rerendering, jobs: jobs, waiting: waiting,
            planned: planned, report: report)
    }

    private func rerendering(
        _ library: PhotoLibrary, force: Bool, dryRun: Bool, memory: Int?,
        _ progressHandler: EditProgressHandler?
    ) throws -> (Rerendering, RerenderSurvey) {
        var renderer = renderer(of: library)
        renderer.videoWork.progress = progressHandler
        let rerendering = Rerendering(
            renderer: renderer, force: force, dryRun: dryRun,
            claims: dryRun ? nil : try AssetClaims(library),
            memory: memory.map { MemoryBudget(limit: $0) })
        return (rerendering, RerenderSurvey(renderer, stores: !dryRun))
    }

    /// Renders assets again but for those of which it is known that they are up to date.
    ///
    /// - Parameter knownCount: how many these are, also of assets that are not reported.
    private func rerender(
        _ identifiers: [String], _ surveyed: [String: RerenderSurvey.Finding], knownCount: Int,
        with rerendering: Rerendering, jobs: Int, waiting: (Int) -> Void,
        planned: ((RerenderPlan) throws -> Void)?, report: (RerenderResult) async throws -> Void
    ) async throws {
        var known = surveyed
        if let planned {
            let plan = try await plan(identifiers.filter { known[$0] == nil }, rerendering, jobs)
            try planned(RerenderPlan(plan, knownUpToDate: knownCount))
            for result in plan where result.status == .upToDate || rerendering.dryRun {
                known[result.assetIdentifier] = .looked(result)
            }
        }
        var next = 0
        func reportKnown() async throws {
            while next < identifiers.count, let finding = known[identifiers[next]] {
                try await report(rerendering.result(identifiers[next], finding))
                next += 1
            }
        }
        var claimed: [String] = []
        let rest = identifiers.filter { known[$0] == nil }
        try await forEachOrdered(rest, limit: jobs, { ($0, await rerendering.rerender($0)) }) {
            identifier, result in
            try await reportKnown()
            next += 1
            if let result { try await report(result) } else { claimed.append(identifier) }
        }
        try await reportKnown()
        if !claimed.isEmpty { waiting(claimed.count) }
        let (start, limits) = (ContinuousClock.now, configuration.claimLimits)
        try await forEachOrdered(
            claimed, limit: jobs,
            { await rerendering.waitAndRerender($0, since: start, limits) }, deliver: report)
    }

    /// What would become of assets.
    private func plan(
        _ identifiers: [String], _ rerendering: Rerendering, _ jobs: Int
    ) async throws -> [RerenderResult] {
        let planning = Rerendering(
            renderer: rerendering.renderer, force: rerendering.force, dryRun: true, claims: nil,
            memory: nil)
        var results: [RerenderResult] = []
        try await forEachOrdered(
            identifiers, limit: jobs, { await planning.looked($0) },
            deliver: { results.append($0) })
        return results
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
