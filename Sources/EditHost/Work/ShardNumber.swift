// SPDX-License-Identifier: Apache-2.0

/// The number of a shard in the environment of an engine's array job.
package enum ShardNumber {
    /// The variables by priority, with the first number of the engine.
    package static let variables: [(name: String, first: Int)] = [
        ("SLURM_ARRAY_TASK_ID", 0), ("JOB_COMPLETION_INDEX", 0), ("AWS_BATCH_JOB_ARRAY_INDEX", 0),
        ("BATCH_TASK_INDEX", 0), ("CLOUD_RUN_TASK_INDEX", 0), ("PBS_ARRAY_INDEX", 0),
        ("SGE_TASK_ID", 1), ("LSB_JOBINDEX", 1),
    ]

    /// The values that Grid Engine and LSF set in jobs that are not arrays.
    private static let noNumbers = ["SGE_TASK_ID": "undefined", "LSB_JOBINDEX": "0"]

    /// Returns the number from the first variable that is set; `nil` if none is.
    ///
    /// - Throws: `HostError` with `badRequest` if the variable is not a number.
    package static func from(_ environment: [String: String]) throws -> Int? {
        for (name, first) in variables {
            guard let text = environment[name], !text.isEmpty, text != noNumbers[name] else {
                continue
            }
            guard let number = Int(text), number >= first else {
                throw HostError(
                    .badRequest, "\(name) is \"\(text)\", which is not a number of a shard")
            }
            return number - first
        }
        return nil
    }
}
