// SPDX-License-Identifier: Apache-2.0

/// A plan that was written.
package struct WorkPlanReport: Sendable {
    /// The plan.
    package let plan: WorkPlan
    /// The SHA-256 of `plan.json`.
    package let hash: WorkHash
    /// The command that submits the plan.
    package let submission: String
    /// The number of kinds of photos without a probe, because it could not be rendered, or not twice with the same
    /// bytes.
    package let kindsWithoutProbe: Int

    /// The estimated minutes of the longest shard.
    package var minutesPerShard: Double { (plan.shards.map(\.cost).max() ?? 0) / 60 }
}
