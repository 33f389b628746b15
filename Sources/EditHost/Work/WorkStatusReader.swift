// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

/// Reads the progress of a plan from its folder. Repeated calls read only what is new.
package struct WorkStatusReader {
    private struct Shard {
        /// The number of the next file of results, by attempt.
        var next: [String: Int] = [:]
        var nextCommitment = 0
        var rendered: Set<Int> = []
        var failed: [Int: WorkOutcome] = [:]
        var committed: Set<Int> = []
        /// The number of outcomes that were read.
        var outcomes = 0

        var done: Int { rendered.count + failed.count }
    }

    private let folder: WorkFolder
    private let plan: WorkPlan
    private var shards: [Int: Shard] = [:]
    private var nodes: [String: String] = [:]
    private var refused: Set<String> = []
    /// The times at which the first attempt began and the last results were written, by the clock of the file server.
    private var (first, last) = (Double.infinity, 0.0)

    /// Opens a work folder.
    ///
    /// - Throws: `HostError` with `noSuchFile`, `fileFailed` or `badInput`.
    package init(at path: String) throws {
        folder = try WorkFolder(at: path)
        plan = try folder.plan(expecting: nil).plan
    }

    /// Reads the progress.
    ///
    /// - Throws: `HostError` if the folder cannot be listed. Other problems are part of the status.
    package mutating func read() throws -> WorkStatus {
        var status = WorkStatus()
        for number in try folder.shardsWithResults() where number < plan.shards.count {
            do {
                try read(number)
            } catch let error as HostError {
                status.problems.append(error.message)
            }
        }
        fill(&status)
        return status
    }

    private mutating func read(_ number: Int) throws {
        var shard = shards[number] ?? Shard()
        defer { shards[number] = shard }
        for attempt in try folder.attempts(atShard: number) {
            let start = shard.next[attempt] ?? 0
            let (outcomes, _, next) = try folder.outcomes(
                ofShard: number, attempt: attempt, from: start)
            if shard.next[attempt] == nil || next > start { try readTimes(attempt, number, start) }
            shard.next[attempt] = next
            shard.outcomes += outcomes.count
            for outcome in outcomes { Self.add(outcome, to: &shard) }
            if let end = try folder.end(ofAttempt: attempt, atShard: number), end.status == 69,
                let node = try folder.attempt(attempt, atShard: number)?.node
            {
                nodes[node] = end.reason ?? "it does not say why"
            }
        }
        let (commitments, _, next) = try folder.commitments(
            ofShard: number, from: shard.nextCommitment)
        shard.nextCommitment = next
        for line in commitments {
            guard line.status != .refused else {
                refused.insert(line.attempt)
                continue
            }
            shard.rendered.insert(line.job)
            shard.failed[line.job] = nil
            if line.status == .committed { shard.committed.insert(line.job) }
        }
    }

    private static func add(_ outcome: WorkOutcome, to shard: inout Shard) {
        switch outcome.status {
        case .rendered:
            shard.rendered.insert(outcome.job)
            shard.failed[outcome.job] = nil
        case .failed where !shard.rendered.contains(outcome.job):
            shard.failed[outcome.job] = outcome
        case .failed, .notTried: break
        }
    }

    /// Reads when an attempt began, and when it wrote its results.
    private mutating func readTimes(_ attempt: String, _ number: Int, _ start: Int) throws {
        guard
            let folder = try folder.folder(WorkName.results, WorkName.shard(number), attempt),
            let names = try? folder.names()
        else { return }
        for name in names {
            let isBegin = name == WorkAttempt.filename
            guard isBegin || (WorkName.number(ofLineFile: name) ?? -1) >= start,
                let status = (try? folder.status(name)) ?? nil
            else { continue }
            let time = Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
            first = min(first, time)
            if !isBegin { last = max(last, time) }
        }
    }

    private func fill(_ status: inout WorkStatus) {
        status.jobs = plan.jobCount
        status.probe = plan.probe
        var (outcomes, failures) = (0, [[String]: Int]())
        for (number, planned) in plan.shards.enumerated() {
            let shard = shards[number] ?? Shard()
            // Results are untrusted and can name jobs that the shard does not have.
            let rendered = min(shard.rendered.count, planned.jobs)
            status.rendered += rendered
            status.committed += min(shard.committed.count, planned.jobs)
            status.failed += min(shard.failed.count, planned.jobs - rendered)
            outcomes += shard.outcomes
            for outcome in shard.failed.values {
                failures[[outcome.code ?? "", outcome.reason ?? ""], default: 0] += 1
            }
            if shard.done >= planned.jobs {
                status.doneShards += 1
                continue
            }
            status.pendingShards.append(number)
            if shard.next.isEmpty { status.waitingShards += 1 } else { status.begunShards += 1 }
        }
        status.failures = failures.map { .init(code: $0[0], reason: $0[1], count: $1) }
            .sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
        if last > first, outcomes > 0 { status.rate = Double(outcomes) / (last - first) }
        status.unableNodes = nodes.sorted { $0.key < $1.key }.map { .init(name: $0, reason: $1) }
        status.refusedAttempts = refused.sorted()
    }
}
