// SPDX-License-Identifier: Apache-2.0

/// The content of `results/NNNNN/ATTEMPT/attempt.json`, written when an attempt begins.
package struct WorkAttempt: Codable, Equatable, Sendable {
    /// The name of the file.
    static let filename = "attempt.json"

    /// The name of the node.
    package let node: String
    /// The process on the node.
    package let process: Int
    /// The time at which the attempt began, in seconds since 1970 by the node's clock.
    package let began: Double
    /// The identifier of the engine's job, such as `SLURM_JOB_ID`; `nil` if there is none.
    package var engineJob: String?
    /// The use of probes by the node.
    package let probe: WorkPlan.ProbeMode

    package init(
        node: String, process: Int, began: Double, engineJob: String?, probe: WorkPlan.ProbeMode
    ) {
        (self.node, self.process, self.began) = (node, process, began)
        (self.engineJob, self.probe) = (engineJob, probe)
    }

    var isSound: Bool {
        (1...255).contains(node.utf8.count) && began.isFinite
            && (engineJob ?? "").utf8.count <= 255
    }
}
