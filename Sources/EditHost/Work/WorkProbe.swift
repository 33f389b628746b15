// SPDX-License-Identifier: Apache-2.0

/// A job that was rendered by the machine that made the plan, to compare the bytes on a node. It represents all jobs of
/// its kind.
package struct WorkProbe: Codable, Equatable, Sendable {
    /// The job, one of the plan's without the outputs of videos.
    package var job: WorkJob
    /// The hash of its last output.
    package let sha256: WorkHash
    /// The hashes of the outputs before the last, in order.
    package let bases: [WorkHash]
    /// The seconds that it took.
    package let seconds: Double

    /// The kind of job that the probe represents.
    package var kind: WorkKind? { job.kind }
    /// The hashes of all outputs, in their order.
    package var hashes: [WorkHash] { bases + [sha256] }
}
