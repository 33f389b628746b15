// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// A plan rendered by a Slurm cluster of two nodes, compared with `rerender` on one machine.
///
/// The nodes run as namespaces of this machine, without the library, and as an unprivileged user.
@Suite("re-rendering by Slurm", .torture, .slurm, .serialized)
struct SlurmTorture {
    /// A disturbance of a running plan: a bash script, which runs once the first results are written.
    enum Disturbance: String, CaseIterable {
        case none = ""
        case killedNode = "kill_node 1"
        /// The node goes on with its shard while the other one renders it too.
        case cutNode = "cut_node 1; wait_until idle; mend_node 1"
        case requeued = """
            for job in $(squeue -h -t R -O JobArrayID:40); do scontrol requeue "$job" || true; done
            """
        /// The worker exits with 75, and the batch script requeues its task.
        case interrupted = """
            for job in $(squeue -h -t R -O JobArrayID:40); do
                scancel --signal=TERM --batch "$job" || true
            done
            """
    }

    @Test("a plan gives the files and keys of rerender", arguments: Disturbance.allCases)
    func plan(_ disturbance: Disturbance) throws {
        // The nodes run as another user, who must be able to read the programs and the work folder.
        let (bench, ids) = try Workbench.withStaleEdits()
        let rerendered = try bench.rerenderedCopy()
        let work = try Self.plan(in: bench)
        let script = """
            cd /
            sbatch --uid=nobody --export=PATH \(work)/slurm.sh
            first_results() { compgen -G '\(work)/results/*/files/*' >/dev/null; }
            wait_until first_results
            \(disturbance.rawValue)
            wait_until idle
            """
        try Self.runCluster(script, hiding: bench.folder.file("Photos.editlibrary"), bench)
        let status = try #require(try bench.json("work", "status", work).first)
        let photos = try #require(status["photographs"] as? [String: Int])
        #expect(photos["rendered"] == ids.count, "\(status)")
        let committed = try bench.run("work", "commit", work)
        #expect(committed.status == 0, "\(committed.errors)")
        try bench.expectAllRerendered(ids.count, with: rerendered)
    }

    private static func plan(in bench: Workbench) throws -> String {
        let work = bench.folder.file("work")
        let planned = try bench.run(
            "work", "plan", work, "--all", "--shards", "6", "--for", "slurm", "--inputs", "copy")
        try #require(planned.status == 0, "\(planned.errors)")
        let given = try runProgram("/bin/chown", ["-R", "nobody", work])
        try #require(given.status == 0, "\(given.errors)")
        return work
    }

    private static func runCluster(
        _ script: String, hiding library: String, _ bench: Workbench
    ) throws {
        let folder = bench.folder.file("cluster")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let program = "\(BuildProducts.packageFolder)/Tests/TestSupport/Programs/slurm-cluster"
        let bin = (try Workbench.command as NSString).deletingLastPathComponent
        let path = "\(bin):/usr/sbin:/usr/bin:/sbin:/bin"
        let result = try runProgram(
            "/usr/bin/timeout",
            [
                "--kill-after=5", "600", "unshare", "--mount", "--net", "--uts", "--pid", "--fork",
                "--kill-child", "--mount-proc", program, folder, library, script,
            ], environment: bench.environment(["PATH": path]))
        let logs = ["slurmctld.log", "slurmd-n1.log", "slurmd-n2.log"].map { name in
            (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
        }
        try #require(result.status == 0, "\(result.output)\(result.errors)\(logs)")
    }
}

extension Trait where Self == ConditionTrait {
    /// Needs root, namespaces and Slurm (`apt install slurm-wlm munge`).
    fileprivate static var slurm: Self {
        .enabled(if: canRunSlurm, "it needs root, namespaces, slurm-wlm and munge")
    }
}

private var canRunSlurm: Bool {
    let programs = ["slurmctld", "slurmd", "munged", "sbatch", "ip"]
    let script = programs.map { "command -v \($0)" }.joined(separator: " && ")
    let path = "/usr/sbin:/usr/bin:/sbin:/bin"
    let result = try? runProgram(
        "/usr/bin/unshare", ["--mount", "--net", "--uts", "--pid", "--fork", "sh", "-c", script],
        environment: ["PATH": path])
    return result?.status == 0
}
