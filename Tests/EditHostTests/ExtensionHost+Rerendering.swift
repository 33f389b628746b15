// SPDX-License-Identifier: Apache-2.0

import EditHost
import Library

extension ExtensionHost {
    /// Re-renders assets with the options that tests need most.
    func rerender(
        _ identifiers: [String], in library: PhotoLibrary, force: Bool = false,
        dryRun: Bool = false, jobs: Int, planned: ((RerenderPlan) throws -> Void)? = nil,
        report: (RerenderResult) async throws -> Void
    ) async throws {
        var options = RerenderOptions(jobs: jobs)
        options.force = force
        options.dryRun = dryRun
        try await rerender(
            identifiers, in: library, options: options, planned: planned, report: report)
    }
}
