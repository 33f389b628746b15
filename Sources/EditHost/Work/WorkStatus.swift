// SPDX-License-Identifier: Apache-2.0

/// The progress of a plan, according to the files in its folder.
package struct WorkStatus: Equatable, Sendable {
    /// A node that cannot run the plan.
    package struct Node: Equatable, Sendable {
        /// The name of the node, as its attempts state it.
        package let name: String
        /// The reason why it cannot run the plan, from its last such attempt.
        package let reason: String
    }

    /// A reason why jobs failed.
    package struct Failure: Equatable, Sendable {
        /// The code of the error, such as `extensionFailed`.
        package let code: String
        /// The message of the error.
        package let reason: String
        /// The number of jobs.
        package let count: Int
    }

    /// The number of shards that no attempt has begun.
    package var waitingShards = 0
    /// The number of shards that have been started and have jobs without an outcome.
    package var begunShards = 0
    /// The number of shards whose jobs all have an outcome.
    package var doneShards = 0
    /// The numbers of the shards that are not done, in order.
    package var pendingShards: [Int] = []
    /// The number of jobs. Each job renders one asset.
    package var jobs = 0
    /// The number of rendered jobs.
    package var rendered = 0
    /// The number of jobs that were committed.
    package var committed = 0
    /// The number of jobs that failed.
    package var failed = 0
    /// The number of jobs that were skipped because an extension was quarantined, and are pending.
    package var notTried = 0
    /// True if nothing more will happen unless shards are submitted again. Each shard is done, or all its jobs have an
    /// outcome or were skipped and its last attempt has ended.
    package var isOver = false
    /// The reasons why jobs failed, most frequent first.
    package var failures: [Failure] = []
    /// The number of jobs per second since the first attempt began; `nil` if it is unknown.
    package var rate: Double?
    /// The nodes that cannot run the plan, by name.
    package var unableNodes: [Node] = []
    /// The names of the attempts that failed an audit.
    package var refusedAttempts: [String] = []
    /// The use of probes by nodes.
    package var probe = WorkPlan.ProbeMode.bytes
    /// The files in the folder that cannot be read, as messages.
    package var problems: [String] = []

    /// The number of jobs without an outcome.
    package var pending: Int { max(0, jobs - rendered - failed) }

    /// The estimated time until all jobs have an outcome, in seconds; `nil` if it is unknown.
    package var secondsLeft: Double? {
        guard let rate, rate > 0 else { return nil }
        return Double(pending) / rate
    }
}
