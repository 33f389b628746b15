// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

extension ExtensionHost {
    /// Re-renders the current renditions of assets from their stored recipes, if they are out of date with the
    /// installed extensions.
    ///
    /// - Parameters:
    ///   - identifiers: The local identifiers of the assets.
    ///   - force: Whether renditions that are up to date are re-rendered too.
    ///   - dryRun: Whether to only report what would be done.
    ///   - jobs: The maximum number of concurrent jobs.
    ///   - memory: The maximum memory in bytes of the pictures rendered concurrently, estimated by their sizes; `nil`
    ///     for as much as `jobs` take. A picture that exceeds it is rendered alone.
    ///   - progressHandler: Notified of the progress of videos.
    ///   - waiting: Called with the number of assets that other processes are rendering, once all others are done.
    ///   - planned: Called with the plan before anything is rendered; an error that it throws ends the work. If it is
    ///     `nil`, no plan is made.
    ///   - report: Called for each asset, in order. Assets that other processes were rendering come last.
    /// - Throws: Errors thrown by `planned` and `report`. Failures of assets are reported instead.
    public func rerender(
        _ identifiers: [String], in library: PhotoLibrary, force: Bool = false,
        dryRun: Bool = false, jobs: Int, memory: Int? = nil,
        progressHandler: EditProgressHandler? = nil, waiting: (Int) -> Void = { _ in },
        planned: ((RerenderPlan) throws -> Void)? = nil,
        report: (RerenderResult) async throws -> Void
    ) async throws {
        let rerendering = try rerendering(
            library, force: force, dryRun: dryRun, memory: memory, progressHandler)
        let known =
            force
            ? [:]
            : try await StalenessScan(rerendering.renderer).upToDate(among: identifiers, jobs: jobs)
        try await rerender(
            identifiers, known, knownCount: known.count, with: rerendering, jobs: jobs,
            waiting: waiting, planned: planned, report: report)
    }

    /// Re-renders all assets that a fetch finds. Assets found up to date by a scan are only counted.
    ///
    /// - Parameters:
    ///   - options: Fetch options without a limit.
    ///   - count: The number of assets that the fetch finds.
    ///   - upToDate: Called before anything is rendered, with the number of assets that are up to date and not
    ///     reported.
    /// - Throws: `LibraryError`; errors thrown by `planned`, `upToDate` and `report`.
    package func rerender(
        matching options: FetchOptions, count: Int, in library: PhotoLibrary, dryRun: Bool = false,
        jobs: Int, memory: Int? = nil, progressHandler: EditProgressHandler? = nil,
        waiting: (Int) -> Void = { _ in }, planned: ((RerenderPlan) throws -> Void)? = nil,
        upToDate: (Int) throws -> Void, report: (RerenderResult) async throws -> Void
    ) async throws {
        let rerendering = try rerendering(
            library, force: false, dryRun: dryRun, memory: memory, progressHandler)
        let rows = try await StalenessScan(rerendering.renderer).remainingRows(jobs: jobs)
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
    ) throws -> AssetRerenderer {
        var renderer = renderer(of: library)
        renderer.videoWork.progress = progressHandler
        return AssetRerenderer(
            renderer: renderer, force: force, dryRun: dryRun,
            claims: dryRun ? nil : try AssetClaims(library),
            memory: memory.map { MemoryBudget(limit: $0) })
    }

    /// Re-renders assets, except those found up to date.
    ///
    /// - Parameter knownCount: The number of assets found up to date, including those that are not reported.
    private func rerender(
        _ identifiers: [String], _ upToDate: [String: RerenderResult], knownCount: Int,
        with rerendering: AssetRerenderer, jobs: Int, waiting: (Int) -> Void,
        planned: ((RerenderPlan) throws -> Void)?, report: (RerenderResult) async throws -> Void
    ) async throws {
        var known = upToDate
        if let planned {
            let plan = try await plan(identifiers.filter { known[$0] == nil }, rerendering, jobs)
            try planned(RerenderPlan(plan, knownUpToDate: knownCount))
            for result in plan where result.status == .upToDate || rerendering.dryRun {
                known[result.assetIdentifier] = result
            }
        }
        var next = 0
        func reportKnown() async throws {
            while next < identifiers.count, let result = known[identifiers[next]] {
                try await report(result)
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

    /// Returns the results that a re-rendering of the assets would have.
    private func plan(
        _ identifiers: [String], _ rerendering: AssetRerenderer, _ jobs: Int
    ) async throws -> [RerenderResult] {
        let planning = AssetRerenderer(
            renderer: rerendering.renderer, force: rerendering.force, dryRun: true, claims: nil,
            memory: nil)
        var results: [RerenderResult] = []
        try await forEachOrdered(
            identifiers, limit: jobs, { await planning.checked($0) },
            deliver: { results.append($0) })
        return results
    }
}

extension ExtensionHost {
    /// Returns the assets that a scan finds up to date, without checking them one by one.
    package func upToDateAssets(
        among identifiers: [String], in library: PhotoLibrary
    ) async throws -> Set<String> {
        let scan = StalenessScan(renderer(of: library))
        return Set(try await scan.upToDate(among: identifiers, jobs: 1).keys)
    }
}
