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
    ///   - waiting: Called with the number of assets that other processes are rendering, once all others are done.
    ///   - planned: Called with the plan before anything is rendered; an error that it throws ends the work. If it is
    ///     `nil`, no plan is made.
    ///   - report: Called for each asset, in order. Assets that other processes were rendering come last.
    /// - Throws: Errors thrown by `planned` and `report`. Failures of assets are reported instead.
    public func rerender(
        _ identifiers: [String], in library: PhotoLibrary, options: RerenderOptions,
        waiting: (Int) -> Void = { _ in }, planned: ((RerenderPlan) throws -> Void)? = nil,
        report: (RerenderResult) async throws -> Void
    ) async throws {
        let rerendering = try AssetRerenderer(renderer(of: library), library, options)
        let scan = StalenessScan(rerendering.renderer, library)
        let known =
            options.force ? [:] : try await scan.upToDate(among: identifiers, jobs: options.jobs)
        try await rerender(
            identifiers, known, knownCount: known.count, with: rerendering, waiting: waiting,
            planned: planned, report: report)
    }

    /// Re-renders all assets that a fetch finds. Assets found up to date by a scan are only counted.
    ///
    /// - Parameters:
    ///   - fetch: Fetch options without a limit.
    ///   - options: Options without `force`.
    ///   - upToDate: Called before anything is rendered, with the number of assets that are up to date and not
    ///     reported.
    /// - Throws: `LibraryError`; errors thrown by `planned`, `upToDate` and `report`.
    package func rerender(
        matching fetch: FetchOptions, in library: PhotoLibrary, options: RerenderOptions,
        waiting: (Int) -> Void = { _ in }, planned: ((RerenderPlan) throws -> Void)? = nil,
        upToDate: (Int) throws -> Void, report: (RerenderResult) async throws -> Void
    ) async throws {
        let rerendering = try AssetRerenderer(renderer(of: library), library, options)
        let count = try Asset.count(in: library, options: fetch)
        let rows = try await StalenessScan(rerendering.renderer, library).remainingRows(
            jobs: options.jobs)
        let rest = try Asset.identifiers(ofRows: rows, in: library, options: fetch)
        let knownCount = max(0, count - rest.count)
        try upToDate(knownCount)
        try await rerender(
            rest, [:], knownCount: knownCount, with: rerendering, waiting: waiting,
            planned: planned, report: report)
    }

    /// Re-renders assets, except those found up to date.
    ///
    /// - Parameter knownCount: The number of assets found up to date, including those that are not reported.
    private func rerender(
        _ identifiers: [String], _ upToDate: [String: RerenderResult], knownCount: Int,
        with rerendering: AssetRerenderer, waiting: (Int) -> Void,
        planned: ((RerenderPlan) throws -> Void)?, report: (RerenderResult) async throws -> Void
    ) async throws {
        defer { rerendering.rates.save() }
        let options = rerendering.options
        var (known, stale) = (upToDate, [String: RerenderResult]())
        if let planned {
            let verdicts = try await verdicts(identifiers.filter { known[$0] == nil }, rerendering)
            try planned(RerenderPlan(verdicts, knownUpToDate: knownCount))
            for verdict in verdicts {
                if verdict.status == .stale, !options.dryRun {
                    stale[verdict.assetIdentifier] = verdict
                } else {
                    known[verdict.assetIdentifier] = verdict
                }
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
        try await forEachOrdered(rest, limit: options.jobs) { [stale] in
            ($0, await rerendering.rerender($0, stale[$0]))
        } deliver: { identifier, result in
            try await reportKnown()
            next += 1
            if let result { try await report(result) } else { claimed.append(identifier) }
        }
        try await reportKnown()
        if !claimed.isEmpty { waiting(claimed.count) }
        let (start, limits) = (ContinuousClock.now, configuration.claimLimits)
        try await forEachOrdered(
            claimed, limit: options.jobs,
            { await rerendering.waitAndRerender($0, since: start, limits) }, deliver: report)
    }

    /// Decides which assets are stale, without rendering.
    private func verdicts(
        _ identifiers: [String], _ rerendering: AssetRerenderer
    ) async throws -> [RerenderResult] {
        var verdicts: [RerenderResult] = []
        try await forEachOrdered(
            identifiers, limit: rerendering.options.jobs, { await rerendering.verdict($0) },
            deliver: { verdicts.append($0) })
        return verdicts
    }
}

extension ExtensionHost {
    /// Returns the assets whose renditions a re-render would render. Those that cannot be rendered are omitted.
    ///
    /// - Throws: `HostError` if the current ingredients cannot be determined; `LibraryError`, `CancellationError`.
    package func staleAssets(in library: PhotoLibrary) async throws -> [String] {
        var options = RerenderOptions(jobs: configuration.runnerLimit)
        options.dryRun = true
        var stale: [String] = []
        try await rerender(
            matching: .everything, in: library, options: options, upToDate: { _ in },
            report: { if $0.status == .stale { stale.append($0.assetIdentifier) } })
        return stale
    }

    /// Returns the assets that a scan finds up to date, without checking them one by one.
    package func upToDateAssets(
        among identifiers: [String], in library: PhotoLibrary
    ) async throws -> Set<String> {
        let scan = StalenessScan(renderer(of: library), library)
        return Set(try await scan.upToDate(among: identifiers, jobs: 1).keys)
    }
}
