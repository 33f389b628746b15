// SPDX-License-Identifier: Apache-2.0

import EditHost
import Testing

/// The numbers of array jobs.
@Suite("shard numbers of engines")
struct ShardNumberTests {
    @Test("the first variable that is set counts, and two count from 1")
    func variables() throws {
        #expect(try ShardNumber.from([:]) == nil)
        #expect(try ShardNumber.from(["PBS_ARRAY_INDEX": "3", "SGE_TASK_ID": "9"]) == 3)
        #expect(try ShardNumber.from(["SLURM_ARRAY_TASK_ID": "0", "PBS_ARRAY_INDEX": "3"]) == 0)
        #expect(try ShardNumber.from(["SGE_TASK_ID": "1"]) == 0)
        #expect(try ShardNumber.from(["LSB_JOBINDEX": "12"]) == 11)
        for name in [
            "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX", "BATCH_TASK_INDEX",
            "CLOUD_RUN_TASK_INDEX",
        ] {
            #expect(try ShardNumber.from([name: "7"]) == 7)
        }
    }

    @Test("jobs that are not arrays have no number")
    func noArray() throws {
        #expect(try ShardNumber.from(["SGE_TASK_ID": "undefined", "LSB_JOBINDEX": "0"]) == nil)
    }

    @Test("other texts are errors", arguments: ["x", "-1", "1.5", "9223372036854775808"])
    func invalid(text: String) {
        #expect(throws: HostError.self) { try ShardNumber.from(["SLURM_ARRAY_TASK_ID": text]) }
    }
}
