// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The content of `plan.json`, the file that is written last into a work folder.
///
/// Its SHA-256 covers the whole plan: the file contains the hashes of the shards and the extensions, and the jobs in
/// the shards contain the hashes of their inputs.
package struct WorkPlan: Codable, Equatable, Sendable {
    /// The version of the format that this version writes and reads.
    package static let currentVersion = 1
    /// The maximum number of shards, for a Kubernetes job.
    package static let maximumShardCount = 100_000

    /// The way in which nodes prove that they render the same bytes as the machine that made the plan.
    package enum ProbeMode: String, Codable, Sendable, CaseIterable {
        /// A node renders the probes of its shard before its jobs.
        case bytes
        /// Nodes render no probes. Different processors may render different bytes.
        case off
    }

    /// The version of the format.
    package var work = currentVersion
    /// The identifier of the plan, a lower-case UUID.
    package let id: String
    /// The identifier of the library.
    package let library: String
    /// The software that renders.
    package let environment: WorkEnvironment
    /// The folders in which the inputs are searched by their hashes, as in a library's `blobs`. The folder `inputs` of
    /// the work folder is searched first.
    package let inputs: [String]
    /// The extensions of all jobs.
    package let extensions: [WorkExtension]
    /// The resource limits of extensions.
    package let budgets: WorkBudgets
    /// The shards; the number of a shard is its index.
    package let shards: [WorkShard]
    /// The use of probes by nodes.
    package let probe: ProbeMode
    /// The probes, at most one for each kind of job; empty without probes.
    package let probes: [WorkProbe]

    /// The number of jobs in all shards.
    package var jobCount: Int { shards.map(\.jobs).reduce(0, +) }
    /// The estimated seconds of all jobs.
    package var cost: Double { shards.map(\.cost).reduce(0, +) }

    /// Returns the planned extension of a digest.
    package func editingExtension(_ digest: WorkHash) -> WorkExtension? {
        extensions.first { $0.digest == digest }
    }
}

extension WorkPlan {
    /// Returns why the plan is invalid; `nil` if its numbers are in range and its names are valid.
    var defect: String? {
        if !WorkName.isIdentifier(id) { return "its identifier is invalid" }
        if !WorkName.isIdentifier(library) { return "the identifier of its library is invalid" }
        if !(1...Self.maximumShardCount).contains(shards.count) {
            return "it has no shards, or too many"
        }
        if !shards.allSatisfy(\.isSound) { return "a shard has an out-of-range number" }
        if !extensions.allSatisfy(\.isSound) { return "the name of an extension is invalid" }
        if Set(extensions.map(\.digest)).count != extensions.count {
            return "an extension is listed twice"
        }
        if !probes.allSatisfy({ $0.job.isSound && $0.bases.count == $0.job.outputs.count - 1 }) {
            return "a probe is invalid"
        }
        return nil
    }
}
