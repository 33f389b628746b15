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
        let (bench, ids) = try Self.bench()
        let oracle = try Self.rerendered(bench)
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
        let photographs = try #require(status["photographs"] as? [String: Int])
        #expect(photographs["rendered"] == ids.count, "\(status)")
        let committed = try bench.run("work", "commit", work)
        #expect(committed.status == 0, "\(committed.errors)")
        #expect(try Self.blobs(bench) == oracle)
        // Equal keys: nothing is left to be rendered.
        let rest = try bench.run("rerender", "--all", "--dry-run", "--json")
        let states = try rest.objects.compactMap { $0["status"] as? String }
        #expect(states.count == ids.count && states.allSatisfy { $0 == "upToDate" }, "\(states)")
        #expect(try bench.run("check", "--read-data", "100").status == 0)
    }

    /// A library whose edits were made by an earlier build of the extension.
    private static func bench() throws -> (Workbench, [String]) {
        let bench = try Workbench(extensions: ["SepiaFilter"])
        try bench.assumeReproducing()
        var ids: [String] = []
        for seed in 0..<24 {
            let path = try bench.folder.write(
                TestPicture.gradient(width: 1600, height: 1200, seed: seed).encoded(),
                to: "photographs/picture\(seed).png")
            ids.append(try #require(try bench.json("import", path).first?["id"] as? String))
        }
        let edited = try bench.run(["edit"] + ids + ["--with", "sepia"])
        try #require(edited.status == 0, "\(edited.errors)")
        // Another build: the loader ignores what follows the sections.
        let library = bench.folder.file(
            "extensions/SepiaFilter.editingextension/libSepiaFilter.so")
        let handle = try #require(FileHandle(forWritingAtPath: library))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([0]))
        try handle.close()
        return (bench, ids)
    }

    /// The blobs of a copy of the library that was re-rendered on this machine.
    private static func rerendered(_ bench: Workbench) throws -> Set<String> {
        let (library, copy) = ("Photos.editlibrary", "Oracle.editlibrary")
        let copied = try runProgram(
            "/bin/cp", ["-a", bench.folder.file(library), bench.folder.file(copy)])
        try #require(copied.status == 0, "\(copied.errors)")
        let rendered = try bench.run(
            "rerender", "--all", environment: ["EDITHOST_LIBRARY": bench.folder.file(copy)])
        try #require(rendered.status == 0, "\(rendered.errors)")
        return try blobs(bench, copy)
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

    /// The files of a library, which are named by their hash.
    private static func blobs(
        _ bench: Workbench, _ library: String = "Photos.editlibrary"
    ) throws -> Set<String> {
        let files = try FileManager.default.subpathsOfDirectory(
            atPath: bench.folder.file("\(library)/blobs"))
        return Set(files.map { ($0 as NSString).lastPathComponent }.filter { $0.utf8.count >= 64 })
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
