// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost

/// Renders the jobs of a plan without a library.
struct WorkRenderer: Sendable {
    /// A key that differs from the planned one. The result would be rejected.
    struct OtherKey: Error, CustomStringConvertible {
        let description = "the rendition that this node would make differs from the planned one"
    }

    let host: ExtensionHost
    /// The extensions of the plan by their digests.
    let binaries: [WorkHash: ExtensionBinary]
    let inputs: WorkInputs
    let staging: StagingFolder

    /// Renders all outputs of a job, in their order.
    ///
    /// - Throws: `WorkInputs.Damage`, `OtherKey`, `HostError`, `LibraryError`.
    func render(_ job: WorkJob) async throws -> [RenderedContent] {
        // Not on a thread of the Swift runtime, because a file on another machine may take long.
        let copies = try await withTaskExecutorPreference(WaitingThread.executor) {
            try inputs.copies(for: job)
        }
        let files = WorkJobFiles(of: job, copies, staging: staging)
        let renderer = Renderer(source: files, pool: host.pool, extensions: host.extensions)
        var rendered: [RenderedContent] = []
        for output in job.outputs {
            let plan = try job.plan(of: output, over: rendered, binaries)
            let content = try await renderer.content(of: plan, output.settings)
            guard output.key == nil || output.key?.digest == content.key else { throw OtherKey() }
            try files.add(content)
            rendered.append(content)
        }
        return rendered
    }
}
