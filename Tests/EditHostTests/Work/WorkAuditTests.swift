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

    /// The outcome of job 1 with the key of its plan and the picture of job 0.
    private func forged(_ work: WorkFixture) throws -> WorkOutcome {
        let picture = try #require(try work.outcome(0).outputs)[0]
        let planned = work.jobs[1].outputs[0]
        let output = WorkOutcome.Output(
            edit: planned.edit, kind: planned.kind, part: planned.part,
            key: try #require(planned.key), sha256: picture.sha256, size: picture.size,
            width: picture.width, height: picture.height, duration: nil, format: picture.format,
            omissions: [])
        return WorkOutcome(job: 1, outputs: [output], seconds: 0.1)
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
}
