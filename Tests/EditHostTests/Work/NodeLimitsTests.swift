// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import TestSupport
import Testing

/// What a control group and an engine grant a worker.
@Suite("limits of nodes")
struct NodeLimitsTests {
    private func limits(
        _ files: [String: String], groups: String, _ environment: [String: String] = [:]
    ) throws -> NodeLimits {
        let folder = try TemporaryFolder()
        for (name, text) in files {
            let path = (name as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(
                atPath: folder.file(path), withIntermediateDirectories: true)
            try folder.write(Data("\(text)\n".utf8), to: name)
        }
        return NodeLimits(
            processors: 16, environment: environment, groups: groups, controlGroups: folder.path)
    }

    @Test("the smallest limit of a control group and those around it counts")
    func versionTwo() throws {
        let found = try limits(
            [
                "job/memory.max": "8589934592", "job/step/memory.max": "max",
                "job/cpu.max": "max 100000", "job/step/cpu.max": "250000 100000",
            ], groups: "0::/job/step\n")
        #expect(found.processors == 2)
        #expect(found.memory == 8 << 30)
    }

    @Test("limits of control groups of version 1 count")
    func versionOne() throws {
        let found = try limits(
            [
                "memory/slurm/memory.limit_in_bytes": "1073741824",
                "memory/memory.limit_in_bytes": "9223372036854771712",
                "cpu/slurm/cpu.cfs_quota_us": "400000", "cpu/slurm/cpu.cfs_period_us": "100000",
            ], groups: "7:memory:/slurm\n4:cpu,cpuacct:/slurm\n")
        #expect(found.processors == 4)
        #expect(found.memory == 1 << 30)
    }

    @Test("the smaller of the control group's and Slurm's limits counts")
    func slurm() throws {
        let files = ["memory.max": "8589934592", "cpu.max": "400000 100000"]
        let less = ["SLURM_CPUS_PER_TASK": "2", "SLURM_MEM_PER_NODE": "4096"]
        let small = try limits(files, groups: "0::/\n", less)
        #expect(small.processors == 2)
        #expect(small.memory == 4 << 30)
        let more = ["SLURM_CPUS_PER_TASK": "8", "SLURM_MEM_PER_NODE": "65536"]
        let large = try limits(files, groups: "0::/\n", more)
        #expect(large.processors == 4)
        #expect(large.memory == 8 << 30)
    }

    @Test("unreadable limits are ignored")
    func unreadable() throws {
        let odd = ["SLURM_CPUS_PER_TASK": "4(x2)", "SLURM_MEM_PER_NODE": "9223372036854775807"]
        let found = try limits(
            ["memory.max": "-1", "cpu.max": "1 0"], groups: "x\n0::/../..\n", odd)
        #expect(found.processors == 16)
        #expect(found.memory == nil)
    }
}
