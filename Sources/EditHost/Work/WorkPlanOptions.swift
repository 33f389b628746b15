// SPDX-License-Identifier: Apache-2.0

/// Options for a plan.
package struct WorkPlanOptions: Sendable {
    /// The engines for which a plan has files.
    package enum Engine: String, Sendable, CaseIterable {
        case slurm, kubernetes
        case awsBatch = "aws-batch"
        case parallel
    }

    /// The largest number of shards unless the engine allows more.
    package static let usualShardLimit = 1000

    /// True if renditions that are up to date are rendered too.
    package var force = false
    /// The minutes of work of a shard.
    package var minutes = 5.0
    /// The number of shards; `nil` for as many as ``minutes`` need.
    package var shards: Int?
    /// The engine to write files for.
    package var engine: Engine?
    /// True if the inputs are copied into the folder.
    package var copiesInputs = false
    /// The use of probes by nodes.
    package var probe = WorkPlan.ProbeMode.bytes
    /// The maximum number of photos that are read concurrently.
    package var jobs: Int

    package init(jobs: Int) { self.jobs = jobs }
}

extension WorkPlanOptions.Engine {
    /// The largest number of shards.
    package var shardLimit: Int {
        switch self {
        case .slurm, .parallel: WorkPlanOptions.usualShardLimit
        case .awsBatch: 10_000
        case .kubernetes: WorkPlan.maximumShardCount
        }
    }
}
