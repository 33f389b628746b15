// SPDX-License-Identifier: Apache-2.0

import Library

extension ExtensionHost {
    /// Plans the re-rendering of assets on other machines, and writes the plan into a folder. The library is not
    /// changed.
    ///
    /// - Parameters:
    ///   - selection: The assets.
    ///   - path: A new or empty folder outside every library.
    ///   - upToDate: Called with the number of assets that are up to date and not reported.
    ///   - planned: Called with the reasons before anything is written; an error that it throws ends the work. If it is
    ///     `nil`, results are reported as they are found.
    ///   - report: Called for each asset, in order.
    /// - Returns: The plan; `nil` if nothing is stale, and then nothing is written.
    /// - Throws: `HostError`, `LibraryError`; errors thrown by the closures.
    package func planWork(
        _ selection: WorkSelection, in library: PhotoLibrary, to path: String,
        options: WorkPlanOptions, upToDate: (Int) throws -> Void = { _ in },
        planned: ((RerenderPlan) throws -> Void)? = nil,
        report: (RerenderResult) throws -> Void
    ) async throws -> WorkPlanReport? {
        try WorkFolder.requireFree(path)
        var planner = try WorkPlanner(self, library, options)
        var (results, knownCount) = ([RerenderResult](), 0)
        func deliver(_ result: RerenderResult) throws {
            if planned == nil { try report(result) } else { results.append(result) }
        }
        switch selection {
        case .named(let identifiers):
            let known = try await planner.upToDate(among: identifiers)
            for result in known { try deliver(result) }
            let names = Set(known.map(\.assetIdentifier))
            try await planner.add(identifiers.filter { !names.contains($0) }, report: deliver)
        case .matching(let fetch):
            let (rest, count) = try await planner.remaining(of: fetch)
            knownCount = count
            try upToDate(count)
            try await planner.add(rest, report: deliver)
        }
        if let planned {
            try planned(RerenderPlan(results, knownUpToDate: knownCount))
            for result in results { try report(result) }
        }
        return try await planner.write(to: path)
    }
}
