// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerHost
import Synchronization
import TestSupport
import Testing

@testable import EditHost
@testable import Library

/// Workers, which render the shards of a plan without a library.
@Suite("work run")
struct WorkRunTests {
    /// A rendered file, as a library or a worker describes it.
    private struct Made: Hashable {
        let edit: String
        let kind: Rendition.Kind
        let key: SHA256Digest
        let file: SHA256Digest
        let width: Int
    }

    /// The files that `rerender` makes of a copy of the library.
    private func rerendered(_ work: PlannedWork) async throws -> Set<Made> {
        let path = work.studio.folder.file("Copy.editlibrary")
        try FileManager.default.copyItem(atPath: work.studio.library.path, toPath: path)
        let copy = try PhotoLibrary.open(at: path)
        try await work.host.rerender(work.assets, in: copy, jobs: 2) { result in
            #expect(result.status == .rendered, "\(result)")
        }
        let edits = try work.assets.flatMap { try copy.history(ofAsset: $0).chain }
        let current = try Set(
            work.assets.compactMap { try copy.history(ofAsset: $0).chain.last?.identifier })
        return Set(
            edits.flatMap { edit in
                edit.renditions.filter { $0.kind == .base || current.contains(edit.identifier) }
                    .map {
                        Made(
                            edit: edit.identifier, kind: $0.kind, key: $0.key, file: $0.blob,
                            width: $0.pixelWidth)
                    }
            })
    }

    private func made(_ outcomes: [WorkOutcome]) -> Set<Made> {
        Set(
            outcomes.flatMap { $0.outputs ?? [] }.map {
                Made(
                    edit: $0.edit, kind: $0.kind, key: $0.key.digest, file: $0.sha256.digest,
                    width: $0.width)
            })
    }

    @Test(
        "a worker makes the files and keys that rerender makes",
        arguments: [(true, false), (false, false), (true, true)])
    func sameFiles(trusted: Bool, isExpensive: Bool) async throws {
        let work = try await PlannedWork(3, isExpensive: isExpensive, trusted: trusted)
        let end = await work.run()
        #expect(end.status == .done, "\(end)")
        #expect(end.counts.rendered == 3)
        let outcomes = try work.outcomes()
        #expect(try await rerendered(work) == made(outcomes))
        for output in outcomes.flatMap({ $0.outputs ?? [] }) {
            let data = try Data(contentsOf: URL(fileURLWithPath: work.file(output)))
            #expect(WorkHash(of: data) == output.sha256)
        }
        await work.shutDown()
    }

    @Test("a second attempt renders only what has no outcome or has lost its file")
    func secondAttempt() async throws {
        let work = try await PlannedWork(3)
        await work.run()
        let first = try work.outcomes()
        #expect(await work.run().counts.settled == 3)
        #expect(try work.attempts.count == 1)
        let lost = try #require(first.first?.outputs?.first)
        let path = work.file(lost)
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        try data.dropLast().write(to: URL(fileURLWithPath: path))
        let end = await work.run()
        #expect(end.status == .done)
        #expect(end.counts.rendered == 1)
        #expect(end.counts.settled == 2)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == data)
        #expect(try work.outcomes(1).map(\.job) == first.prefix(1).map(\.job))
        await work.shutDown()
    }

    @Test("two concurrent attempts write the same files")
    func concurrentAttempts() async throws {
        let work = try await PlannedWork(4)
        async let first = work.run()
        async let second = work.run()
        #expect(await [first.status, second.status] == [.done, .done])
        let outcomes = try work.attempts.indices.map { Set(try made(work.outcomes($0))) }
        let all = outcomes.reduce(into: Set()) { $0.formUnion($1) }
        #expect(all.count == 4)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(work.path)/results/00000/files")
                .count == 4)
        await work.shutDown()
    }

    enum Part: CaseIterable { case plan, shard, manifest, library }

    @Test("a worker rejects a plan of which one bit was changed", arguments: Part.allCases)
    func changedBit(part: Part) async throws {
        let work = try await PlannedWork(1)
        let planned = try #require(work.plan.extensions.first)
        let folder = "extensions/\(planned.digest)/\(planned.name)"
        let name =
            switch part {
            case .plan: "plan.json"
            case .shard: "jobs/00000.jsonl"
            case .manifest: "\(folder)/manifest.json"
            case .library: "\(folder)/libadder.so"
            }
        try flip("\(work.path)/\(name)")
        let end = await work.run()
        #expect(end.status == .otherPlan, "\(end)")
        #expect(
            try work.attempts.allSatisfy {
                try work.folder.outcomes(ofShard: 0, attempt: $0).outcomes.isEmpty
            })
        await work.shutDown()
    }

    @Test("invalid numbers, names and roles are not this plan, even if the hashes match")
    func hostilePlans() async throws {
        let work = try await PlannedWork(1)
        let (planPath, jobsPath) = ("\(work.path)/plan.json", "\(work.path)/jobs/00000.jsonl")
        let plan = try Data(contentsOf: URL(fileURLWithPath: planPath))
        let jobs = try String(contentsOfFile: jobsPath, encoding: .utf8)
        func expectRejected(_ change: (inout [String: Any]) -> Void) async throws {
            let end = await work.run(try work.rewrite(change))
            #expect(end.status == .otherPlan, "\(end)")
            try plan.write(to: URL(fileURLWithPath: planPath))
        }
        func changeFirst(_ list: String, _ key: String, _ value: Any, _ plan: inout [String: Any]) {
            var items = plan[list] as? [[String: Any]] ?? []
            items[0][key] = value
            plan[list] = items
        }
        for (old, new) in [
            (#""job":0"#, #""job":9223372036854775808"#), (#""job":0"#, #""job":2147483648"#),
            (#""job":0"#, #""job":-1"#), (#""input":0"#, #""input":-1"#),
            (#""original":0"#, #""original":9223372036854775807"#),
            (#""steps":[0]"#, #""steps":[9223372036854775807]"#),
            (#""role":"original""#, #""role":"king""#),
            (#""kind":"current""#, #""kind":"../current""#),
        ] {
            try #require(jobs.contains(old), "\(old) in \(jobs)")
            let changed = Data(jobs.replacingOccurrences(of: old, with: new).utf8)
            try changed.write(to: URL(fileURLWithPath: jobsPath))
            let hash = WorkHash(of: changed).hex
            try await expectRejected { changeFirst("shards", "sha256", hash, &$0) }
        }
        try Data(jobs.utf8).write(to: URL(fileURLWithPath: jobsPath))
        try await expectRejected { changeFirst("shards", "jobs", UInt64(1) << 63, &$0) }
        try await expectRejected { changeFirst("shards", "cost", -1, &$0) }
        try await expectRejected {
            changeFirst("extensions", "name", "../adder.editingextension", &$0)
        }
        try await expectRejected { $0["probe"] = "../bytes" }
        #expect(try work.attempts.isEmpty)
        #expect(await work.run().status == .done)
        await work.shutDown()
    }

    /// Changes one bit in the middle of a file.
    private func flip(_ path: String) throws {
        let url = URL(fileURLWithPath: path)
        var data = try Data(contentsOf: url)
        data[data.count / 2] ^= 1
        try data.write(to: url)
    }

    @Test("a damaged input fails a job only after another node has found the same")
    func damagedInput() async throws {
        let work = try await PlannedWork(1) { $0.probe = .off }
        let job = try #require(try work.jobs.first)
        let input = try #require(job.inputs.first).sha256
        let path = work.studio.blobPath(input.digest)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        try flip(path)
        for attempt in 0..<2 {
            let end = await work.run()
            #expect(end.status == .unsuitableNode)
            #expect(end.counts.left == 1)
            let outcome = try #require(try work.outcomes(attempt).first)
            #expect(outcome.status == .notTried)
            #expect(outcome.code == "inputDamaged")
        }
        let pending = WorkOutcome(job: job.job, .notTried, code: "inputDamaged", reason: "x")
        try work.writeAttempt("9-another", outcomes: [pending], hasEnded: true)
        let end = await work.run()
        #expect(end.status == .done)
        #expect(end.counts.failed == 1)
        await work.shutDown()
    }

    @Test("three missing inputs in a row end an attempt")
    func missingInputs() async throws {
        let work = try await PlannedWork(5) { $0.probe = .off }
        for job in try work.jobs {
            let hash = try #require(job.inputs.first).sha256.digest
            try FileManager.default.removeItem(atPath: work.studio.blobPath(hash))
        }
        var attempt = work.attempt()
        attempt.jobs = 1
        let begun = Mutex(0)
        attempt.progress = { if case .ended = $0 { begun.withLock { $0 += 1 } } }
        let end = await attempt.run(stop: WorkStop())
        #expect(end.status == .unsuitableNode)
        #expect(end.counts.left == 5)
        #expect(begun.withLock { $0 } == 3)
        #expect(end.reason?.contains("--inputs") == true)
        await work.shutDown()
    }

    @Test("inputs are found in the folders that a worker is given")
    func givenInputs() async throws {
        let work = try await PlannedWork(2)
        let moved = work.studio.folder.file("moved")
        try FileManager.default.moveItem(
            atPath: "\(work.studio.library.path)/blobs", toPath: moved)
        #expect(await work.run().status == .unsuitableNode)
        var attempt = work.attempt()
        attempt.inputs = [moved]
        let end = await attempt.run(stop: WorkStop())
        #expect(end.status == .done, "\(end)")
        await work.shutDown()
    }

    @Test("a node with other software or other probes does not run a plan")
    func otherNode() async throws {
        let work = try await PlannedWork(1)
        let otherLibrary = try work.rewrite { plan in
            var environment = plan["environment"] as? [String: Any]
            environment?["vips"] = "0.0.1"
            plan["environment"] = environment
        }
        let end = await work.run(otherLibrary)
        #expect(end.status == .unsuitableNode)
        #expect(end.reason?.contains("libvips") == true)
        let otherProbe = try work.rewrite { plan in
            var environment = plan["environment"] as? [String: Any]
            environment?["vips"] = work.plan.environment.vips
            plan["environment"] = environment
            var probes = plan["probes"] as? [[String: Any]] ?? []
            for index in probes.indices {
                probes[index]["sha256"] = String(repeating: "0", count: 64)
            }
            plan["probes"] = probes
        }
        let second = await work.run(otherProbe)
        #expect(second.status == .unsuitableNode)
        #expect(second.reason?.contains("probe") == true)
        // The end is recorded for work status.
        let last = try #require(try work.attempts.last)
        #expect(try work.folder.end(ofAttempt: last, atShard: 0)?.status == 69)
        await work.shutDown()
    }

    @Test("a job that two attempts died with runs last; after three, it has failed")
    func deadlyJobs() async throws {
        let work = try await PlannedWork(3)
        let jobs = try work.jobs.map(\.job)
        try work.writeAttempt("0-1", inFlight: [jobs[0], jobs[1]])
        try work.writeAttempt("0-2", inFlight: [jobs[0], jobs[1]])
        try work.writeAttempt("0-3", inFlight: [jobs[1], jobs[2]])
        // An attempt that ended by itself did not die.
        try work.writeAttempt("0-4", inFlight: [jobs[0]], hasEnded: true)
        let end = await work.run()
        #expect(end.status == .done)
        let outcomes = try work.folder.outcomes(
            ofShard: 0, attempt: try #require(try work.attempts.last)
        ).outcomes
        #expect(outcomes.map(\.job) == [jobs[1], jobs[2], jobs[0]])
        #expect(outcomes.map(\.status) == [.failed, .rendered, .rendered])
        #expect(outcomes[0].code == "workerDied")
        await work.shutDown()
    }

    @Test("an attempt that cannot write its end did not die with its jobs")
    func unwrittenEnd() async throws {
        let work = try await PlannedWork(2)
        let jobs = try work.jobs
        func deaths() throws -> [Int: Int] {
            try ShardAttempts(ofShard: 0, jobs, in: work.folder).deaths
        }
        let note = WorkAttempt(node: "n", process: 1, began: 0, engineJob: nil, probe: .off)
        let recorder = try AttemptRecorder(
            ofShard: 0, note, in: work.folder, recordsFlights: true)
        for job in jobs { try recorder.begin(job.job) }
        #expect(try deaths() == [0: 1, 1: 1])
        let attempt = try #require(try work.attempts.first)
        try FileManager.default.createDirectory(
            atPath: "\(work.path)/results/00000/\(attempt)/\(WorkAttemptEnd.filename)",
            withIntermediateDirectories: false)
        #expect(throws: AttemptRecorder.Unwritable.self) {
            try recorder.end(WorkAttemptEnd(status: 73, reason: "full", ended: 0))
        }
        #expect(try deaths() == [:])
        await work.shutDown()
    }

    @Test("a failure of an extension is final; in quarantine, its other jobs are not tried")
    func failures() async throws {
        let work = try await PlannedWork(5, defines: ["CRASHES_OVER_RECIPE"]) { $0.probe = .off }
        var attempt = work.attempt()
        attempt.jobs = 1
        let end = await attempt.run(stop: WorkStop())
        #expect(end.status == .done)
        #expect(end.counts.failed == 3)
        #expect(end.counts.notTried == 2)
        let failed = try #require(try work.outcomes().first)
        #expect(failed.code == "extensionFailed")
        #expect(failed.extension == work.plan.extensions.first?.digest)
        let second = await attempt.run(stop: WorkStop())
        #expect(second.counts.settled == 3)
        #expect(second.counts.failed == 2)
        await work.shutDown()
    }

    @Test("results that cannot be written end an attempt")
    func unwritableResults() async throws {
        let work = try await PlannedWork(4)
        try FileManager.default.removeItem(atPath: "\(work.path)/results")
        try work.studio.folder.write(Data(), to: "work/results")
        #expect(await work.run().status == .unwritable)
        try FileManager.default.removeItem(atPath: "\(work.path)/results")
        #expect(await work.run().status == .done)
        // Folders in place of the rendered files.
        for output in try work.outcomes().flatMap({ $0.outputs ?? [] }) {
            try FileManager.default.removeItem(atPath: work.file(output))
            try FileManager.default.createDirectory(
                atPath: work.file(output), withIntermediateDirectories: false)
        }
        let end = await work.run()
        #expect(end.status == .unwritable)
        #expect(end.counts.left == 4)
        await work.shutDown()
    }

    @Test("a stop before the first job interrupts an attempt, and the next one does the work")
    func stopped() async throws {
        let work = try await PlannedWork(2)
        let stop = WorkStop()
        stop.request()
        let end = await work.attempt().run(stop: stop)
        #expect(end.status == .interrupted)
        #expect(end.counts.left == 2)
        #expect(await work.run().counts.rendered == 2)
        await work.shutDown()
    }

    @Test("a shard that does not exist is wrong usage")
    func noSuchShard() async throws {
        let work = try await PlannedWork(1)
        var attempt = work.attempt()
        for shard in [1, -1, Int.max] {
            attempt.shard = shard
            #expect(await attempt.run(stop: WorkStop()).status == .usage)
        }
        await work.shutDown()
    }
}
