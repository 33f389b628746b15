// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost

extension ExtensionHost {
    /// Commits the results of a work folder to the library that the plan was made for.
    ///
    /// - Parameters:
    ///   - path: The work folder.
    ///   - expected: The hash that the plan must have; `nil` to accept any plan of the library.
    ///   - report: Called with each event, in order. Renditions that are reported as committed are durable.
    /// - Returns: The numbers of results.
    /// - Throws: `HostError` with `badInput` if the folder has no plan of this library or another plan; `LibraryError`;
    ///   errors of `report`.
    package func commitWork(
        at path: String, expecting expected: SHA256Digest? = nil, into library: PhotoLibrary,
        options: WorkCommitOptions, report: (WorkCommitEvent) throws -> Void
    ) async throws -> WorkCommitSummary {
        let folder = try WorkFolder(at: path)
        let plan = try folder.plan(expecting: expected).plan
        guard try plan.library == library.identifier else {
            throw HostError(.badInput, "the plan in \(path) was made for another library")
        }
        return try await withoutActuallyEscaping(report) { report in
            var committer = WorkCommitter(
                folder: folder, plan: plan, library: library, renderer: renderer(of: library),
                options: options, report: report, rates: RenderingRates(library))
            return try await committer.run()
        }
    }
}
