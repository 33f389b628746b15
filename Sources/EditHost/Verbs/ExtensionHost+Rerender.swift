// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

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
            planner: StatePlanner(extensions: extensions),
            renderer: Renderer(pool: pool, library: library), force: force, dryRun: dryRun)
        try await forEachOrdered(
            identifiers, limit: jobs, { await rerendering.rerender($0) }, deliver: report)
    }
}
