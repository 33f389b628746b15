// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import EditHost
@testable import Library

/// Results of a plan that are taken into the library.
@Suite("committing results of workers")
struct WorkCommitTests {
    @Test("committed rows, keys and bytes equal those of rerender, in one change for a group")
    func equalsRerender() async throws {
        let work = try await WorkFixture(5, shardSize: 2)
        try work.writeAll()
        let token = try work.library.currentChangeToken
        let (summary, events) = try await work.commit()
        #expect(summary.committed == 5 && summary.pending == 0 && summary.damaged == 0)
        guard case .committed(let assets) = try #require(events.first) else {
            Issue.record("\(events)")
            return
        }
        #expect(Set(assets) == Set(work.assets))
        for asset in work.assets { #expect(try work.isRerendered(asset)) }
        #expect(try work.library.fetchPersistentChanges(since: token).count == 1)
        #expect(try work.library.check(readingDataOf: 100).severity <= .repairable)
        // The next run finds nothing to render, and the next commit nothing to take.
        try await work.host.rerender(work.assets, in: work.library, jobs: 1) { result in
            #expect(result.status == .upToDate)
        }
        let again = try await work.commit().summary
        #expect(again.committed == 0 && again.present == 5)
        await work.shutDown()
    }

    @Test("new lossless results are committed with the pictures rendered from them")
    func bases() async throws {
        let work = try await WorkFixture(2, isExpensive: true)
        #expect(work.jobs[0].outputs.map(\.kind) == [.base, .base, .current])
        try work.writeAll()
        var options = WorkCommitOptions()
        options.audit = 100
        #expect(try await work.commit(options).summary.committed == 2)
        for asset in work.assets { #expect(try work.isRerendered(asset)) }
        await work.shutDown()
    }

    @Test("committed files are removed and recorded; --keep keeps them")
    func files() async throws {
        let work = try await WorkFixture(3, shardSize: 2)
        try work.write([try work.outcome(0)])
        var options = WorkCommitOptions()
        options.keepsFiles = true
        try await work.commit(options)
        #expect(try work.filesLeft().count == 1)
        try work.write([try work.outcome(1), try work.outcome(2)], attempt: "b")
        try await work.commit()
        #expect(try work.filesLeft(0) == [] && work.filesLeft(1) == [])
        let folder = try WorkFolder(at: work.path)
        let recorded = try (0..<2).flatMap { try folder.commitments(ofShard: $0).commitments }
        #expect(recorded.map(\.job).sorted() == [0, 1, 2])
        #expect(recorded.allSatisfy { $0.status == .committed })
        await work.shutDown()
    }

    @Test("groups are limited in size, and each is one change")
    func groups() async throws {
        let work = try await WorkFixture(5)
        try work.writeAll()
        var options = WorkCommitOptions()
        options.group = 2
        let token = try work.library.currentChangeToken
        #expect(try await work.commit(options).summary.committed == 5)
        #expect(try work.library.fetchPersistentChanges(since: token).count == 3)
        await work.shutDown()
    }

    @Test("--follow ends when every job has an outcome", .timeLimit(.minutes(1)))
    func follow() async throws {
        let work = try await WorkFixture(3)
        try work.write([try work.outcome(0)])
        var options = WorkCommitOptions()
        options.follow = true
        options.interval = .milliseconds(20)
        async let followed = work.commit(options)
        let failed = WorkOutcome(job: 1, .failed, code: "extensionFailed", reason: "it crashed")
        try work.write([failed], attempt: "b")
        try work.write([try work.outcome(2)], attempt: "c")
        let summary = try await followed.summary
        #expect(summary.committed == 2 && summary.failed == 1 && summary.pending == 0)
        #expect(try !work.isRerendered(work.assets[1]))
        await work.shutDown()
    }

    @Test(
        "--follow ends when what is left was not tried and the last attempt has ended",
        .timeLimit(.minutes(1)))
    func notTried() async throws {
        let work = try await WorkFixture(2)
        let untried = WorkOutcome(job: 1, .notTried, code: "quarantined", reason: "it crashed")
        try work.write([try work.outcome(0), untried])
        try work.writeEnd(.done)
        let summary = try await work.commit(following()).summary
        #expect(summary.committed == 1 && summary.pending == 1 && summary.notTried == 1)
        // The shard was submitted again.
        _ = try WorkFolder(at: work.path).makeFolder("results", "00000", "b")
        #expect(try await work.commit().summary.notTried == 0)
        try work.write([try work.outcome(1)], attempt: "b")
        let later = try await work.commit(following()).summary
        #expect(later.committed == 1 && later.pending == 0 && later.notTried == 0)
        await work.shutDown()
    }

    private func following() -> WorkCommitOptions {
        var options = WorkCommitOptions()
        options.follow = true
        options.interval = .milliseconds(20)
        return options
    }

    @Test(
        "results are read again if the jobs of their shard could not be read",
        .timeLimit(.minutes(1)))
    func unreadableOnce() async throws {
        let work = try await WorkFixture(2)
        try work.writeAll()
        let (jobs, away) = ("\(work.path)/jobs", "\(work.path)/away")
        try FileManager.default.moveItem(atPath: jobs, toPath: away)
        try Data().write(to: URL(fileURLWithPath: jobs))
        let count = Mutex(0)
        let summary = try await work.host.commitWork(
            at: work.path, into: work.library, options: following()
        ) { event in
            guard case .unreadable = event else { return }
            count.withLock { $0 += 1 }
            try FileManager.default.removeItem(atPath: jobs)
            try FileManager.default.moveItem(atPath: away, toPath: jobs)
        }
        #expect(summary.committed == 2 && summary.unreadable == 0)
        #expect(count.withLock { $0 } == 1)
        await work.shutDown()
    }

    @Test("the end of an attempt is read before its results", .timeLimit(.minutes(1)))
    func endBeforeResults() async throws {
        let work = try await WorkFixture(2)
        let untried = WorkOutcome(job: 1, .notTried, code: "quarantined", reason: "it crashed")
        try work.write([try work.outcome(0), untried])
        let last = try work.outcome(1)
        let (jobs, away) = ("\(work.path)/jobs", "\(work.path)/away")
        let summary = try await work.host.commitWork(
            at: work.path, into: work.library, options: following()
        ) { event in
            switch event {
            case .committed(let assets) where assets == [work.assets[0]]:
                // The results of the second attempt cannot be read by the next search.
                try work.write([untried], attempt: "b")
                try FileManager.default.moveItem(atPath: jobs, toPath: away)
                try Data().write(to: URL(fileURLWithPath: jobs))
            case .unreadable:
                // The attempt ends between the two: with its end but not its last result, the shard would be over.
                try work.write([last], attempt: "b", number: 1)
                try work.writeEnd(.done, attempt: "b")
                try FileManager.default.removeItem(atPath: jobs)
                try FileManager.default.moveItem(atPath: away, toPath: jobs)
            default: break
            }
        }
        #expect(summary.committed == 2 && summary.pending == 0, "\(summary)")
        await work.shutDown()
    }

    @Test("results of jobs that a shard does not have are reported and are no outcomes")
    func foreignJobs() async throws {
        let work = try await WorkFixture(2, shardSize: 1)
        let lines = try [1, 99].map { job in
            try WorkFolder.line(WorkOutcome(job: job, .failed, code: "x", reason: "y"))
        }
        try work.studio.folder.write(
            Data(lines.joined()), to: "\(work.results(0))/b/\(WorkName.lineFile(0))")
        let (summary, events) = try await work.commit()
        #expect(summary.damaged == 2 && summary.pending == 2 && summary.failed == 0)
        #expect(events.count == 1)
        var reader = try WorkStatusReader(at: work.path)
        let status = try reader.read()
        #expect(status.failed == 1 && status.problems.count == 1, "\(status)")
        await work.shutDown()
    }

    @Test("an edit, a deletion and another extension after the plan leave the results")
    func staleResults() async throws {
        let work = try await WorkFixture(3)
        try work.writeAll()
        let request = EditRequest(extensionName: "adder", values: ["amount": "90"])
        _ = try await work.host.edit([work.assets[0]], request, in: work.library)
        let edited = try WorkFixture.rows(of: work.assets[0], in: work.library)
        let deleted = try work.library.asset(withLocalIdentifier: work.assets[1])
        try await work.library.performChanges { try AssetChangeRequest.removeAssets([deleted]) }
        // The first edit is in the undo list still, so it was edited rather than deleted.
        let summary = try await work.commit().summary
        #expect(summary.committed == 1 && summary.edited == 1 && summary.deleted == 1)
        #expect(try WorkFixture.rows(of: work.assets[0], in: work.library) == edited)
        #expect(try work.isRerendered(work.assets[2]))
        await work.shutDown()

        let other = try await WorkFixture(1)
        try other.writeAll()
        try TestExtension.buildAdder(defines: ["ASK"], in: other.studio.extensions)
        let host = try other.studio.otherHost()
        let before = try WorkFixture.rows(of: other.assets[0], in: other.library)
        #expect(try await other.commit(host: host).summary.otherExtension == 1)
        try FileManager.default.removeItem(
            atPath: "\(other.studio.extensions)/adder.editingextension")
        let none = try other.studio.otherHost()
        #expect(try await other.commit(host: none).summary.otherExtension == 1)
        #expect(try WorkFixture.rows(of: other.assets[0], in: other.library) == before)
        await none.shutDown()
        await host.shutDown()
        await other.shutDown()
    }

    @Test("a commit touches neither edits nor marks")
    func marks() async throws {
        let work = try await WorkFixture(1)
        try work.writeAll()
        let asset = try work.library.asset(withLocalIdentifier: work.assets[0])
        try await work.library.performChanges {
            try AssetChangeRequest(for: asset).isFavorite = true
        }
        let before = try work.library.history(ofAsset: work.assets[0])
        #expect(try await work.commit().summary.committed == 1)
        let after = try work.library.history(ofAsset: work.assets[0])
        #expect(after.asset.isFavorite && after.asset.generation == before.asset.generation)
        #expect(after.chain.map(\.adjustmentData) == before.chain.map(\.adjustmentData))
        #expect(after.originals == before.originals && after.position == before.position)
        await work.shutDown()
    }

    @Test("two results of one job that differ are reported and left")
    func differing() async throws {
        let work = try await WorkFixture(2)
        try work.writeAll()
        try work.write([try differing(work)], attempt: "b", node: "node2")
        let (summary, events) = try await work.commit()
        #expect(summary.differing == 1 && summary.committed == 1)
        #expect(Self.differingNodes(events) == [["node1", "node2"]])
        #expect(try !work.isRerendered(work.assets[0]))
        await work.shutDown()
    }

    @Test(
        "a result that differs from one that was committed before is reported with both nodes",
        .timeLimit(.minutes(1)))
    func differingLater() async throws {
        let work = try await WorkFixture(2)
        try work.write([try work.outcome(0)])
        let (other, last) = (try differing(work), try work.outcome(1))
        let events = Mutex<[WorkCommitEvent]>([])
        let summary = try await work.host.commitWork(
            at: work.path, into: work.library, options: following()
        ) { event in
            events.withLock { $0.append(event) }
            guard case .committed = event, events.withLock({ $0.count }) == 1 else { return }
            try work.write([other], attempt: "b", node: "node2")
            try work.write([last], attempt: "c", node: "node3")
        }
        #expect(summary.committed == 2 && summary.differing == 1)
        #expect(Self.differingNodes(events.withLock { $0 }) == [["node1", "node2"]])
        #expect(try work.isRerendered(work.assets[0]))
        await work.shutDown()
    }

    /// The outcome of job 0 with the picture of job 1.
    private func differing(_ work: WorkFixture) throws -> WorkOutcome {
        var other = try work.outcome(0)
        other.outputs = try work.outcome(1).outputs.map { outputs in
            outputs.map { made in
                WorkOutcome.Output(
                    edit: work.jobs[0].outputs[0].edit, kind: made.kind, part: made.part,
                    key: work.jobs[0].outputs[0].key ?? made.key, sha256: made.sha256,
                    size: made.size, width: made.width, height: made.height, duration: nil,
                    format: made.format, omissions: [])
            }
        }
        return other
    }

    private static func differingNodes(_ events: [WorkCommitEvent]) -> [[String?]] {
        events.compactMap { event in
            guard case .differing(_, let attempts) = event else { return nil }
            return attempts.map(\.node)
        }
    }

    @Test("an edit that was undone and replaced, and pruned pictures, leave the library intact")
    func deletedEdit() async throws {
        let work = try await WorkFixture(2)
        try work.writeAll()
        let asset = try work.library.asset(withLocalIdentifier: work.assets[0])
        try await work.library.performChanges { try AssetChangeRequest(for: asset).undo() }
        let request = EditRequest(extensionName: "adder", values: ["amount": "90"])
        _ = try await work.host.edit([work.assets[0]], request, in: work.library)
        _ = try work.library.prune()
        let edited = try WorkFixture.rows(of: work.assets[0], in: work.library)
        let summary = try await work.commit().summary
        #expect(summary.committed == 1 && summary.deleted == 1, "\(summary)")
        #expect(try WorkFixture.rows(of: work.assets[0], in: work.library) == edited)
        #expect(try work.isRerendered(work.assets[1]))
        await work.shutDown()
    }

    @Test("a plan of another library, a damaged shard and a missing plan are errors")
    func otherPlans() async throws {
        let work = try await WorkFixture(2, shardSize: 1)
        try work.writeAll()
        try work.studio.folder.write(Data("{}\n".utf8), to: "work/jobs/\(WorkName.jobFile(0))")
        let summary = try await work.commit().summary
        #expect(summary.unreadable == 1 && summary.committed == 1)
        let hash = WorkHash(of: Data("another plan".utf8)).digest
        let other = await #expect(throws: HostError.self) {
            try await work.host.commitWork(
                at: work.path, expecting: hash, into: work.library, options: WorkCommitOptions()
            ) { _ in }
        }
        #expect(other?.code == .badInput && other?.message.contains("another plan") == true)
        try work.writePlan(library: UUID().uuidString)
        let error = await #expect(throws: HostError.self) { try await work.commit() }
        #expect(error?.message.contains("another library") == true)
        try FileManager.default.removeItem(atPath: "\(work.path)/plan.json")
        let missing = await #expect(throws: HostError.self) { try await work.commit() }
        #expect(missing?.code == .badInput)
        await work.shutDown()
    }
}
