// SPDX-License-Identifier: Apache-2.0

/// A shard of a plan: the jobs in `jobs/NNNNN.jsonl`.
package struct WorkShard: Codable, Equatable, Sendable {
    /// The hash of the file.
    package let sha256: WorkHash
    /// The number of its jobs.
    package let jobs: Int
    /// The estimated seconds of its jobs on one core.
    package let cost: Double

    var isSound: Bool { (1...Int(Int32.max)).contains(jobs) && cost.isFinite && cost >= 0 }
}
