// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Glibc
import TestSupport
import Testing

@testable import EditHost

/// The files that submit a plan to an engine.
@Suite("engine files of plans")
struct WorkSubmissionTests {
    /// The hash of the plan in the documentation.
    private static let documented =
        "158ab6b484c5cd1a0a8d7a0e6c8f2e37b6b1a2f5a9be3c44d7e1c8f05a96d213"

    private static func submission(
        _ hash: String = documented, count: Int = 800, folder: String = "/shared/work",
        inputs: [String] = ["/srv/blobs"]
    ) throws -> WorkSubmission {
        let digest = try #require(SHA256Digest(hex: hash))
        return WorkSubmission(
            hash: WorkHash(digest), count: count, folder: folder, inputs: inputs, timeLimit: 60)
    }

    private static func texts(
        _ submission: WorkSubmission, _ engine: WorkPlanOptions.Engine
    ) throws -> [String] {
        try submission.files(for: engine).map { String(decoding: $0.content, as: UTF8.self) }
    }

    private static func page(_ name: String) throws -> String {
        try String(
            contentsOfFile: "\(BuildProducts.packageFolder)/docs/\(name)", encoding: .utf8)
    }

    @Test("the reference shows the files that are written, and the guide the commands")
    func documentation() throws {
        let reference = try Self.page("reference/work-folders.md")
        func shortened(_ text: String) -> String {
            text.replacingOccurrences(
                of: Self.documented, with: "\(Self.documented.prefix(12))…")
        }
        let slurm = try #require(try Self.texts(Self.submission(), .slurm).first)
        #expect(reference.contains("```\n\(slurm)```\n"))
        let kubernetes = try #require(try Self.texts(Self.submission(), .kubernetes).first)
        #expect(reference.contains("```\n\(shortened(kubernetes))```\n"))
        let parallel = try #require(
            try Self.texts(Self.submission(inputs: []), .parallel).first)
        #expect(reference.contains("```\n\(shortened(parallel))```\n"))
        let guide = try Self.page("guides/cluster.md")
        for engine in WorkPlanOptions.Engine.allCases {
            let command = try Self.submission().command(for: engine)
            #expect(guide.contains(command), "\(command)")
        }
    }

    @Test("the script for parallel runs the given shards, or all, on the given hosts")
    func parallel() throws {
        let folder = try TemporaryFolder()
        try folder.writeProgram("#!/bin/sh\necho \"$@\"\n", to: "bin/parallel")
        let text = try #require(
            try Self.texts(Self.submission(count: 4, inputs: []), .parallel).first)
        let worker = "edithost work run /shared/work --plan \(Self.documented) --shard {} :::"
        func run(_ words: [String], _ environment: [String: String] = [:]) throws -> String {
            let path = "\(folder.file("bin")):/usr/bin:/bin"
            return try runProgram(
                "/bin/bash", ["-c", text, "parallel.sh"] + words,
                environment: environment.merging(["PATH": path]) { $1 }
            ).output
        }
        let start = "--jobs 1 --retries 3"
        #expect(
            try run([])
                == "--sshloginfile hosts \(start) --joblog log --resume-failed \(worker) 0 1 2 3\n")
        #expect(try run(["3", "1"]) == "--sshloginfile hosts \(start) \(worker) 3 1\n")
        #expect(
            try run(["2"], ["HOSTS": "-"]) == "--sshloginfile - \(start) \(worker) 2\n")
    }

    @Test(
        "the files of every engine contain the hash of the plan",
        arguments: WorkPlanOptions.Engine.allCases)
    func hash(_ engine: WorkPlanOptions.Engine) throws {
        let submission = try Self.submission()
        #expect(try Self.texts(submission, engine).contains { $0.contains(Self.documented) })
        #expect(try submission.files(for: nil).isEmpty)
        #expect(submission.command(for: nil).contains(Self.documented))
    }

    @Test("shells read paths with spaces, quotes and dollar signs as they are")
    func quoting() throws {
        let folder = "/a b/it's $HOME"
        let script =
            "for word in \(WorkSubmission.quoted(folder)); do printf '%s\\n' \"$word\"; done"
        #expect(try runProgram("/bin/sh", ["-c", script]).output == folder + "\n")
        for engine in [WorkPlanOptions.Engine.slurm, .parallel] {
            let text = try #require(
                try Self.texts(Self.submission(folder: folder, inputs: [folder]), engine).first)
            #expect(try runProgram("/bin/bash", ["-n", "-c", text]).status == 0)
        }
    }

    @Test("the array of AWS Batch has the number of shards, and one shard needs no array")
    func awsBatch() throws {
        func objects(_ count: Int) throws -> [[String: Any]] {
            try Self.submission(count: count).files(for: .awsBatch).map {
                try #require(try JSONSerialization.jsonObject(with: $0.content) as? [String: Any])
            }
        }
        let many = try objects(800)
        #expect((many[1]["arrayProperties"] as? [String: Int]) == ["size": 800])
        #expect(many[1]["jobDefinition"] as? String == many[0]["jobDefinitionName"] as? String)
        let one = try objects(1)
        #expect(one[1]["arrayProperties"] == nil)
        let container = try #require(one[0]["containerProperties"] as? [String: Any])
        #expect((container["command"] as? [String])?.suffix(2) == ["--shard", "0"])
    }

    @Test("the time limit is several times the estimate and at least an hour")
    func timeLimit() {
        #expect(WorkSubmission.timeLimit(cost: 1, minutes: 5) == 60)
        #expect(WorkSubmission.timeLimit(cost: 7200, minutes: 5) == 720)
        #expect(WorkSubmission.timeLimit(cost: 1e300, minutes: 5) == 1_000_000)
    }
}
