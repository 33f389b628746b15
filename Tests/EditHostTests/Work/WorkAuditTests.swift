// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport
import Testing

@testable import EditHost
@testable import Library

/// Results that are rendered again on the machine of the library.
@Suite("auditing results of workers")
struct WorkAuditTests {
    private func audit() -> WorkCommitOptions {
        var options = WorkCommitOptions()
        options.audit = 100
        return options
    }

    /// The outcome of a job with the key of its plan and the picture of another job.
    private func forged(
        _ work: WorkFixture, _ job: Int = 1, from other: Int = 0
    ) throws -> WorkOutcome {
        let picture = try #require(try work.outcome(other).outputs)[0]
        let planned = work.jobs[job].outputs[0]
        let output = WorkOutcome.Output(
            edit: planned.edit, kind: planned.kind, part: planned.part,
            key: try #require(planned.key), sha256: picture.sha256, size: picture.size,
            width: picture.width, height: picture.height, duration: nil, format: picture.format,
            omissions: [])
        return WorkOutcome(job: job, outputs: [output], seconds: 0.1)
    }

    @Test("true results pass an audit of all of them")
    func passes() async throws {
        let work = try await WorkFixture(3)
        try work.writeAll()
        let summary = try await work.commit(audit()).summary
        #expect(summary.committed == 3 && summary.auditFailures == 0)
        await work.shutDown()
    }

    @Test("a false picture ends the trust in its attempt, in this commit and later ones")
    func fails() async throws {
        let work = try await WorkFixture(4, shardSize: 4)
        // The first result was taken without an audit.
        try work.write([try work.outcome(0)], attempt: "false")
        #expect(try await work.commit().summary.committed == 1)
        try work.write(
            [try forged(work), try work.outcome(2)], attempt: "false", number: 1, node: "node9")
        try work.write([try work.outcome(3)], attempt: "true")
        let (summary, events) = try await work.commit(audit())
        #expect(summary.auditFailures == 1 && summary.committed == 1 && summary.refused == 1)
        let failure = events.compactMap { event -> (String, String?, [String])? in
            guard case .auditFailed(let asset, let attempt, let taken) = event else { return nil }
            return (asset, attempt.node, taken)
        }
        #expect(failure.count == 1)
        #expect(failure.first?.0 == work.assets[1] && failure.first?.1 == "node9")
        #expect(failure.first?.2 == [work.assets[0]])
        #expect(try work.isRerendered(work.assets[3]) && !work.isRerendered(work.assets[2]))
        // Without an audit, the attempt is still refused.
        let later = try await work.commit().summary
        #expect(later.committed == 0 && later.refused == 3)
        #expect(try !work.isRerendered(work.assets[1]))
        await work.shutDown()
    }

    @Test("bytes that failed an audit are not taken from another attempt")
    func sameBytes() async throws {
        let work = try await WorkFixture(2)
        try work.write([try forged(work)], attempt: "false")
        #expect(try await work.commit(audit()).summary.auditFailures == 1)
        // The later commit audits nothing.
        try work.write([try forged(work)], attempt: "other", node: "node2")
        try work.write([try work.outcome(0)], attempt: "true")
        let (summary, events) = try await work.commit()
        #expect(summary.auditFailures == 1 && summary.committed == 1, "\(summary)")
        let nodes = events.compactMap { event -> String? in
            guard case .auditFailed(_, let attempt, _) = event else { return nil }
            return attempt.node
        }
        #expect(nodes == ["node2"])
        #expect(try work.isRerendered(work.assets[0]) && !work.isRerendered(work.assets[1]))
        // The true result of the same photo is taken.
        try work.write([try work.outcome(1)], attempt: "true", number: 1)
        #expect(try await work.commit().summary.committed == 1)
        #expect(try work.isRerendered(work.assets[1]))
        await work.shutDown()
    }

    @Test("true bytes are taken although an attempt that is refused claims them, too")
    func claimed() async throws {
        let work = try await WorkFixture(2)
        try work.write([try forged(work)], attempt: "false")
        #expect(try await work.commit(audit()).summary.auditFailures == 1)
        try work.write([try work.outcome(1)], attempt: "false", number: 1)
        try work.write([try work.outcome(1)], attempt: "true")
        let summary = try await work.commit().summary
        #expect(summary.committed == 1 && summary.auditFailures == 0, "\(summary)")
        #expect(try work.isRerendered(work.assets[1]))
        await work.shutDown()
    }

    @Test("a result is taken once the attempt that differs from it is refused")
    func differing() async throws {
        let work = try await WorkFixture(2)
        try work.write([try work.outcome(0)], attempt: "1")
        try work.write([try forged(work, 0, from: 1), try forged(work)], attempt: "2")
        let summary = try await work.commit(audit()).summary
        #expect(summary.differing == 1 && summary.auditFailures == 1, "\(summary)")
        #expect(summary.committed == 1)
        #expect(try work.isRerendered(work.assets[0]) && !work.isRerendered(work.assets[1]))
        await work.shutDown()
    }

    @Test("a record that is not a file does not hide those after it")
    func foreignRecord() async throws {
        let work = try await WorkFixture(1)
        let foreign = "\(work.results(0))/\(WorkName.committed)/0000.jsonl"
        try work.studio.folder.write(Data(), to: "\(foreign)/file")
        try work.writeAll()
        #expect(try await work.commit().summary.committed == 1)
        var reader = try WorkStatusReader(at: work.path)
        #expect(try reader.read().committed == 1)
        await work.shutDown()
    }

    @Test("results that are withdrawn after an audit are taken from another attempt")
    func withdrawn() async throws {
        let work = try await WorkFixture(2)
        // The first result is in the group that is not committed yet when the second one fails.
        try work.write([try work.outcome(0), try forged(work)], attempt: "false")
        try work.write([try work.outcome(0)], attempt: "true")
        let summary = try await work.commit(audit()).summary
        #expect(summary.auditFailures == 1 && summary.refused == 1, "\(summary)")
        #expect(summary.committed == 1)
        #expect(try work.isRerendered(work.assets[0]) && !work.isRerendered(work.assets[1]))
        await work.shutDown()
    }

    @Test("records after a file with the highest number are written and read")
    func highestNumber() async throws {
        let work = try await WorkFixture(2)
        let foreign = "\(work.results(0))/\(WorkName.committed)/999999999.jsonl"
        try work.studio.folder.write(Data("{}\n".utf8), to: foreign)
        try work.write([try work.outcome(0)], attempt: "true")
        try work.write([try forged(work)], attempt: "false")
        var reader = try WorkStatusReader(at: work.path)
        #expect(try reader.read().committed == 0)
        let first = try await work.commit(audit()).summary
        #expect(first.committed == 1 && first.auditFailures == 1, "\(first)")
        let status = try reader.read()
        #expect(status.committed == 1 && status.refusedAttempts == ["false"], "\(status)")
        // Without an audit, the attempt is still refused.
        let later = try await work.commit().summary
        #expect(later.refused == 1 && later.committed == 0, "\(later)")
        let history = try ShardAttempts(
            ofShard: 0, work.jobs, in: try WorkFolder(at: work.path))
        #expect(history.settled.contains(0))
        await work.shutDown()
    }
}
