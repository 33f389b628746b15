// SPDX-License-Identifier: Apache-2.0

/// An event of a commit of results.
package enum WorkCommitEvent: Sendable {
    /// An attempt at a shard, with the name of its node if that is known.
    package struct Attempt: Hashable, Sendable {
        /// The name of the attempt.
        package let name: String
        /// The number of the shard.
        package let shard: Int
        /// The name of the node, as the attempt states it.
        package let node: String?
    }

    /// The renditions of assets were committed in one change, and are durable.
    case committed(assets: [String])
    /// The library already has a result.
    case present(asset: String)
    /// A result no longer applies to the library and is skipped.
    case left(asset: String, WorkCommitment.Status)
    /// A result is invalid, or its file is damaged. It is skipped.
    case damaged(asset: String?, Attempt, reason: String)
    /// The results of different attempts at one job differ in their bytes or sizes. They are skipped.
    case differing(asset: String, attempts: [Attempt])
    /// A result differs from what this machine renders. No further result of the attempt is
    /// accepted.
    case auditFailed(asset: String, Attempt, taken: [String])
    /// A result could not be rendered here for an audit, and is skipped.
    case notAudited(asset: String, any Error)
    /// The files of a shard cannot be read.
    case unreadable(shard: Int, any Error)
}
