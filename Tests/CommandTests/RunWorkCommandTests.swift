// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// `edithost work run`, as an engine runs it.
@Suite("the command work run")
struct RunWorkCommandTests {
    private static let noPlan = String(repeating: "0", count: 64)

    /// A workbench with edited photos and a plan of one shard.
    ///
    /// - Parameter mode: The mode in which the tests' plug-in edits the photos.
    /// - Returns: The workbench, the path of the plan, and its hash.
    private func planned(
        _ count: Int, mode: String? = nil
    ) throws -> (Workbench, path: String, hash: String) {
        let (bench, ids) = try Workbench.withPhotos(count)
        try TestExtension.buildAdder(in: bench.folder.file("extensions"))
        try bench.assumeReproducing()
        for id in ids {
            let edit = ["edit", id, "--with", "adder", "--set", "amount=7"]
            guard let mode else {
                #expect(try bench.run(edit).status == 0)
                continue
            }
            let command = try RunningCommand(bench, edit + ["--set", "mode=\(mode)"])
            try command.waitUntilWaiting()
            try command.letFinish()
            #expect(try command.status() == 0)
        }
        let path = bench.folder.file("plan")
        let rows = try bench.json(
            "work", "plan", path, "--all", "--force", "--shards", "1", "--probe", "off")
        let hash = try #require(rows.compactMap { $0["plan"] as? String }.first)
        return (bench, path, hash)
    }

    @Test("the exit status tells an engine whether to retry")
    func statuses() throws {
        let (bench, path, hash) = try planned(2)
        let run = ["work", "run", path, "--plan"]
        func status(_ arguments: [String]) throws -> Int32 { try bench.run(arguments).status }
        #expect(try status(run + [hash]) == 64)
        #expect(try status(run + ["x", "--shard", "0"]) == 64)
        #expect(try status(run + [hash, "--shard", "1"]) == 64)
        #expect(try status(run + [Self.noPlan, "--shard", "0"]) == 65)
        let elsewhere = bench.folder.file("nothing")
        #expect(try status(["work", "run", elsewhere, "--plan", hash, "--shard", "0"]) == 69)
        let blobs = bench.folder.file("Photos.editlibrary/blobs")
        try FileManager.default.moveItem(atPath: blobs, toPath: bench.folder.file("blobs"))
        #expect(try status(run + [hash, "--shard", "0"]) == 69)
        let result = try bench.run(
            "work", "run", path, "--plan", hash, "--inputs", bench.folder.file("blobs"), "--json",
            environment: ["SLURM_ARRAY_TASK_ID": "0"])
        #expect(result.status == 0, "\(result.errors)")
        let row = try #require(try result.objects.last)
        #expect(row["rendered"] as? Int == 2)
        #expect(row["left"] as? Int == 0)
    }

    @Test(
        "a file of the plan that a node cannot read is the node's failure",
        arguments: ["plan.json", "jobs/00000.jsonl", "manifest.json", "libadder.so"])
    func unreadable(_ name: String) throws {
        let (bench, path, hash) = try planned(1)
        let extensions = try runProgram("/usr/bin/find", [path, "-name", "*.editingextension"])
        let folder = extensions.output.trimmingCharacters(in: .newlines)
        let file = name.contains("adder") || name.contains("manifest") ? folder : path
        // The worker may run as another user.
        let opened = try runProgram("/bin/chmod", ["-R", "a+rwX", bench.folder.path])
        try #require(opened.status == 0, "\(opened.errors)")
        try #require(chmod("\(file)/\(name)", 0) == 0)
        let result = try bench.runUnprivileged([
            "work", "run", path, "--plan", hash, "--shard", "0",
        ])
        #expect(result.status == 69, "\(result)")
        #expect(result.errors.contains("\(name) cannot be opened"), "\(result.errors)")
    }

    @Test("after SIGTERM, a worker finishes its job, exits with 75 and leaves the rest")
    func interrupted() throws {
        let (bench, path, hash) = try planned(2, mode: "wait")
        let run = ["work", "run", path, "--plan", hash, "--shard", "0", "--jobs", "1"]
        let first = try RunningCommand(bench, run)
        try first.waitUntilWaiting()
        first.send(SIGTERM)
        try first.letFinish()
        #expect(try first.status() == 75)
        #expect(first.output.contains("1 rendered"))
        #expect(first.output.contains("1 left"))
        #expect(first.leftFolders.isEmpty)
        let second = try RunningCommand(bench, run)
        try second.waitUntilWaiting()
        try second.letFinish()
        #expect(try second.status() == 0)
        #expect(second.output.contains("1 rendered"))
        #expect(second.output.contains("1 done before"))
    }

    @Test("a job that kills every worker has failed in the end")
    func killed() throws {
        let (bench, path, hash) = try planned(1, mode: "wait")
        let run = ["work", "run", path, "--plan", hash, "--shard", "0"]
        // The first attempt does not record its jobs.
        for _ in 0..<4 {
            let command = try RunningCommand(bench, run)
            try command.waitUntilWaiting()
            command.send(SIGKILL)
            try command.waitUntilEnded()
            // Runners that outlive their host for a moment may still use the folders.
            for name in command.leftFolders {
                try? FileManager.default.removeItem(atPath: bench.folder.file("tmp/\(name)"))
            }
        }
        let result = try bench.run(run + ["--json"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(try result.objects.last?["failed"] as? Int == 1)
    }
}
