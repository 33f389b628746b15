// SPDX-License-Identifier: Apache-2.0

/// A line of `results/NNNNN/committed/NNNN.jsonl`: the outcome of committing a result. Workers and `work status` read
/// it; commits themselves do not depend on it.
package struct WorkCommitment: Codable, Equatable, Sendable {
    /// The outcome of committing a result.
    package enum Status: String, Codable, Sendable, CaseIterable {
        /// The files are in the library.
        case committed
        /// The edits of the asset have changed since the plan was made.
        case edited
        /// The asset or the edit was deleted.
        case deleted
        /// The library's machine has another build of the extension.
        case otherExtension
        /// The result failed an audit. No result of the attempt is accepted.
        case refused
    }

    /// The number of the job.
    package let job: Int
    /// The attempt that produced the result.
    package let attempt: String
    /// The outcome.
    package let status: Status

    package init(job: Int, attempt: String, status: Status) {
        (self.job, self.attempt, self.status) = (job, attempt, status)
    }

    var isSound: Bool { (0...Int(Int32.max)).contains(job) && WorkName.isAttempt(attempt) }
}
