// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import EditHost

/// The progress of a plan.
@Suite("progress of a plan")
struct WorkStatusTests {
    @Test(
        "numbers of shards are printed as ranges, also as words for a shell",
        arguments: [
            ([], "", ""), ([3], "3", "3"), ([3, 9, 10, 11, 20], "3,9-11,20", "3 {9..11} 20"),
            ([0, 1], "0-1", "{0..1}"), (Array(9...20), "9-20", "{9..20}"),
        ])
    func ranges(numbers: [Int], text: String, words: String) {
        #expect(ShardNumbers.text(numbers) == text)
        #expect(ShardNumbers.words(numbers) == words)
    }

    @Test("shards are waiting, begun or done, and failures are counted by their reason")
    func shards() async throws {
        let work = try await WorkFixture(6, shardSize: 2)
        var reader = try WorkStatusReader(at: work.path)
        let before = try reader.read()
        #expect(before.waitingShards == 3 && before.pendingShards == [0, 1, 2])
        #expect(before.jobs == 6 && before.pending == 6 && before.rate == nil)

        let failure = WorkOutcome(job: 1, .failed, code: "extensionFailed", reason: "it crashed")
        let untried = WorkOutcome(job: 3, .notTried, code: "quarantine", reason: "it crashed")
        try work.write([try work.outcome(0), failure])
        try work.write([try work.outcome(2), untried])
        let status = try reader.read()
        #expect(status.doneShards == 1 && status.begunShards == 1 && status.waitingShards == 1)
        #expect(status.pendingShards == [1, 2])
        #expect(status.rendered == 2 && status.failed == 1 && status.pending == 3)
        #expect(
            status.failures == [.init(code: "extensionFailed", reason: "it crashed", count: 1)])

        // A later attempt renders the job after all, and a commit records the results.
        try work.write([try work.outcome(1)], attempt: "b")
        try await work.commit()
        let later = try reader.read()
        #expect(later.failed == 0 && later.rendered == 3 && later.committed == 3)
        var fresh = try WorkStatusReader(at: work.path)
        #expect(try fresh.read().committed == 3)
        await work.shutDown()
    }

    @Test("nothing more is expected of a shard whose rest was not tried until it runs again")
    func notTried() async throws {
        let work = try await WorkFixture(2)
        let untried = WorkOutcome(job: 1, .notTried, code: "quarantined", reason: "it crashed")
        try work.write([try work.outcome(0), untried])
        var reader = try WorkStatusReader(at: work.path)
        #expect(try !reader.read().isOver)
        try work.writeEnd(.unsuitableNode)
        #expect(try !reader.read().isOver)
        try work.writeEnd(.done)
        let status = try reader.read()
        #expect(status.isOver && status.notTried == 1 && status.pendingShards == [0])
        _ = try WorkFolder(at: work.path).makeFolder("results", "00000", "b")
        #expect(try !reader.read().isOver)
        try work.write([try work.outcome(1)], attempt: "b")
        let last = try reader.read()
        #expect(last.isOver && last.notTried == 0 && last.doneShards == 1)
        await work.shutDown()
    }

    @Test("nodes that cannot run the plan are listed with their reason")
    func nodes() async throws {
        let work = try await WorkFixture(1)
        try work.write([], attempt: "unused")
        let untried = WorkOutcome(job: 0, .notTried, code: "probe", reason: "none")
        try work.write([untried], attempt: "c", node: "node7")
        let end = WorkAttemptEnd(status: 69, reason: "libvips is 8.13, not 8.14", ended: 1)
        try work.studio.folder.write(
            try WorkFolder.encoded(end), to: "\(work.results(0))/c/\(WorkAttemptEnd.filename)")
        var reader = try WorkStatusReader(at: work.path)
        let status = try reader.read()
        #expect(status.unableNodes == [.init(name: "node7", reason: "libvips is 8.13, not 8.14")])
        #expect(status.begunShards == 1)
        await work.shutDown()
    }
}
