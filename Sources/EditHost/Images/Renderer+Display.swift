// SPDX-License-Identifier: Apache-2.0

import Library
import RunnerProtocol

extension Renderer {
    /// Renders the picture that a plan describes, for display.
    ///
    /// - Throws: `HostError`, naming the extension that failed and the asset; `LibraryError`.
    func image(_ display: DisplaySettings, of plan: StatePlan) async throws -> ImageOutput.Picture {
        do {
            let base = try open(plan.base, .encoded(plan.baseFormat), of: plan)
            return try await run(plan.steps, over: base, of: plan, ImageOutput(display: display))
        } catch let error as HostError {
            throw error.naming(asset: plan.assetIdentifier)
        }
    }
}
