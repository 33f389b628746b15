// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `edithost work status` and the errors of `edithost work commit`, on folders written by hand.
@Suite("work status command")
struct StatusWorkCommandTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    /// Writes a plan with shards of two jobs each.
    private func writePlan(version: Int = 1, shards: Int = 4) throws {
        let hash = String(repeating: "0", count: 64)
        let shard = #"{"sha256":"\#(hash)","jobs":2,"cost":1}"#
        let list = Array(repeating: shard, count: shards).joined(separator: ",")
        let text = """
            {"work":\(version),"id":"158ab6b4-84c5-4000-8000-000000000000","library":"other",\
            "environment":{"edithost":"0.1.0","rendering":3,"machine":"x86_64","vips":"8.14.1",\
            "codecs":{},"media":null},"inputs":[],"extensions":[],"budgets":{},\
            "shards":[\(list)],"probe":"off","probes":[]}
            """
        try bench.folder.write(Data(text.utf8), to: "work/plan.json")
    }

    private func write(_ lines: String..., shard: String, attempt: String = "a") throws {
        let text = lines.map { $0 + "\n" }.joined()
        try bench.folder.write(
            Data(text.utf8), to: "work/results/\(shard)/\(attempt)/0000.jsonl")
    }

    private func failed(_ job: Int) -> String {
        #"{"job":\#(job),"status":"failed","code":"extensionFailed","reason":"it crashed"}"#
    }

    private var work: String { bench.folder.file("work") }

    @Test("the progress is printed as text, as JSON, and as the shards that are left")
    func progress() throws {
        try writePlan()
        #expect(try bench.run("work", "status", work, "--pending").output == "0-3\n")
        try write(failed(2), failed(3), shard: "00001")
        try write(failed(4), shard: "00002")
        try bench.folder.write(
            Data(#"{"node":"n'7","process":1,"began":1,"probe":"off"}"#.utf8),
            to: "work/results/00002/a/attempt.json")
        try bench.folder.write(
            Data(#"{"status":69,"reason":"libvips differs","ended":2}"#.utf8),
            to: "work/results/00002/a/end.json")
        try bench.folder.write(Data(), to: "work/slurm.sh")
        let text = try bench.run("work", "status", work)
        #expect(text.status == 0, "\(text.errors)")
        let lines = text.output.split(separator: "\n")
        #expect(lines.first == "4 shards: 2 waiting, 1 begun, 1 done")
        #expect(lines.contains("8 photos: 0 rendered (0 committed), 3 failed, 5 left"))
        #expect(lines.contains("failed: 3 because it crashed"))
        #expect(lines.contains("n'7 cannot run the plan: libvips differs"))
        let command = #"sbatch --array=0,2-3 --exclude='n'\''7' \#(work)/slurm.sh"#
        #expect(lines.contains { $0.hasSuffix(command) }, "\(text.output)")
        #expect(try bench.run("work", "status", work, "--pending").output == "0,2-3\n")

        let row = try #require(try bench.json("work", "status", work).first)
        let photos = try #require(row["photographs"] as? [String: Int])
        #expect(photos["failed"] == 3 && photos["pending"] == 5)
        #expect(row["pending"] as? String == "0,2-3" && row["probe"] as? String == "off")
        #expect((row["nodes"] as? [[String: Any]])?.first?["name"] as? String == "n'7")
    }

    @Test(
        "the command that submits the rest is that of the engine",
        arguments: [
            (
                "parallel.sh",
                #"grep -vxF -e 'n'\''7' hosts | HOSTS=- bash WORK/parallel.sh 0 {2..3}"#
            ),
            ("kubernetes.yaml", "kubectl replace --force -f WORK/kubernetes.yaml"),
            (
                "aws-batch-job.json",
                "aws batch submit-job --cli-input-json file://WORK/aws-batch-job.json"
            ),
        ])
    func rest(file: String, command: String) throws {
        try writePlan()
        try write(failed(2), failed(3), shard: "00001")
        try bench.folder.write(
            Data(#"{"node":"n'7","process":1,"began":1,"probe":"off"}"#.utf8),
            to: "work/results/00000/a/attempt.json")
        try bench.folder.write(
            Data(#"{"status":69,"reason":"libvips differs","ended":2}"#.utf8),
            to: "work/results/00000/a/end.json")
        try bench.folder.write(Data(), to: "work/\(file)")
        let row = try #require(try bench.json("work", "status", work).first)
        #expect(
            row["submit"] as? String == command.replacingOccurrences(of: "WORK", with: work))
    }

    @Test("--watch ends when every photo has an outcome")
    func watch() throws {
        try writePlan(shards: 1)
        try write(failed(0), failed(1), shard: "00000")
        let result = try bench.run("work", "status", work, "--watch", "--pending")
        #expect(result.status == 0 && result.output == "\n", "\(result)")
    }

    @Test("--watch ends when the rest was not tried, and says what to submit again")
    func notTried() throws {
        try writePlan(shards: 1)
        let untried = #"{"job":1,"status":"notTried","code":"quarantined","reason":"it crashed"}"#
        try write(failed(0), untried, shard: "00000")
        try bench.folder.write(
            Data(#"{"status":0,"ended":2}"#.utf8), to: "work/results/00000/a/end.json")
        let result = try bench.run("work", "status", work, "--watch")
        #expect(result.status == 0, "\(result)")
        let line = "1 not tried, because an extension was quarantined; shards to submit again: 0"
        #expect(result.output.split(separator: "\n").last.map(String.init) == line)
    }

    @Test("a folder without a plan, and plans of newer versions or other libraries are errors")
    func errors() throws {
        _ = try bench.importPicture()
        #expect(try bench.run("work", "status", work).status == 66)
        try bench.folder.write(Data("{".utf8), to: "work/plan.json")
        #expect(try bench.run("work", "status", work).status == 65)
        try writePlan(version: 2)
        for command in ["status", "commit"] {
            let newer = try bench.run("work", command, work)
            #expect(newer.status == 65 && newer.errors.contains("newer version"), "\(newer)")
        }
        try writePlan()
        let other = try bench.run("work", "commit", work)
        #expect(other.status == 65 && other.errors.contains("another library"), "\(other)")
        let hash = String(repeating: "0", count: 64)
        let changed = try bench.run("work", "commit", work, "--plan", hash)
        #expect(changed.status == 65 && changed.errors.contains("another plan"), "\(changed)")
        for option in ["--audit=101", "--audit=-1", "--group=0", "--plan=0"] {
            #expect(try bench.run("work", "commit", work, option).status == 64, "\(option)")
        }
    }
}
