// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of `work plan`: the folder, the printed hash and the options.
@Suite("work plan command")
struct PlanWorkCommandTests {
    private let bench: Workbench
    private let ids: [String]
    private var work: String { bench.folder.file("work") }

    init() throws {
        (bench, ids) = try Workbench.withPhotos(5)
        try TestExtension.buildAdder(in: bench.folder.file("extensions"))
        try bench.assumeReproducing()
        _ = try bench.json(["edit", "--all", "--with", "adder", "--set", "amount=7"])
    }

    /// Rebuilds the extension, so that all pictures are stale.
    private func rebuild() throws {
        try TestExtension.buildAdder(defines: ["ASK"], in: bench.folder.file("extensions"))
    }

    private func hash(_ name: String) throws -> String {
        let result = try runProgram("/usr/bin/sha256sum", ["\(work)/\(name)"])
        return String(result.output.prefix(64))
    }

    @Test("the printed hash is that of plan.json, which contains the hashes of the shards")
    func hashes() throws {
        try rebuild()
        let result = try bench.run(
            "work", "plan", work, "--all", "--shards", "2", "--for", "slurm")
        try #require(result.status == 0, "\(result.errors)")
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines.contains("plan \(try hash("plan.json"))"))
        #expect(lines.contains { $0.hasPrefix("5 to render in 2 shards") })
        #expect(lines.contains("submit with: sbatch \(work)/slurm.sh"))
        let plan = try #require(
            try JSONSerialization.jsonObject(
                with: Data(contentsOf: URL(fileURLWithPath: "\(work)/plan.json")))
                as? [String: Any])
        let shards = try #require(plan["shards"] as? [[String: Any]])
        #expect(
            shards.compactMap { $0["sha256"] as? String } == [
                try hash("jobs/00000.jsonl"), try hash("jobs/00001.jsonl"),
            ])
        let script = try String(contentsOfFile: "\(work)/slurm.sh", encoding: .utf8)
        #expect(script.contains(try hash("plan.json")))
        #expect(script.contains("--inputs \(bench.folder.file("Photos.editlibrary"))/blobs "))
        let again = try bench.run("work", "plan", work, "--all")
        #expect(again.status == 73 && again.errors.contains("is not empty"), "\(again)")
    }

    @Test("work plan prints what rerender would render")
    func selection() throws {
        let idle = try bench.run("work", "plan", work, "--all")
        #expect(idle.status == 0 && idle.errors.contains("nothing to render"), "\(idle)")
        #expect(!FileManager.default.fileExists(atPath: work))
        try rebuild()
        let dry = try bench.json([
            "rerender", "--dry-run", "--sort", "added", "--limit", "2", "--all",
        ])
        let rows = try bench.json(
            ["work", "plan", work, "--sort", "added", "--limit", "2", "--all"])
        let stale = rows.filter { $0["id"] != nil }
        #expect(stale.count == 2)
        for (one, other) in zip(stale, dry) {
            #expect(one["id"] as? String == other["id"] as? String)
            #expect(one["reason"] as? String == other["reason"] as? String)
        }
        let plan = try #require(rows.first { $0["plan"] != nil })
        #expect(plan["plan"] as? String == (try hash("plan.json")))
        #expect(plan["jobs"] as? Int == 2 && plan["shards"] as? Int == 1)
    }

    @Test("with --missing fail, nothing is planned if an extension is missing")
    func missing() throws {
        try FileManager.default.removeItem(
            atPath: bench.folder.file("extensions/adder.editingextension"))
        let result = try bench.run("work", "plan", work, "--all", "--missing", "fail")
        #expect(result.status == 69 && result.errors.contains("nothing was planned"), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: work))
    }

    @Test(
        "invalid options are usage errors",
        arguments: [
            ["--shards", "0"], ["--shards", "1001"], ["--minutes", "0"],
            ["--for", "aws-batch", "--shards", "10001"], ["--for", "cron"], ["--inputs", "move"],
        ])
    func usage(_ options: [String]) throws {
        let result = try bench.run(["work", "plan", work, "--all"] + options)
        #expect(result.status == 64, "\(result)")
    }
}
