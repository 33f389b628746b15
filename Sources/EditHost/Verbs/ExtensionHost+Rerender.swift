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
