// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

/// Reads the progress of a plan from its folder. Repeated calls read only new files.
package struct WorkStatusReader {
    private struct Shard {
        /// The number of the next file of results, by attempt.
        var next: [String: Int] = [:]
        var nextCommitment = 0
        var rendered: Set<Int> = []
        /// The failed jobs, with the index of their reason.
        var failed: [Int: Int] = [:]
        var committed: Set<Int> = []
        var notTried: Set<Int> = []
        /// All jobs that results and records name.
        var named: Set<Int> = []
        /// Whether results or records name more jobs than the shard has.
        var hasForeignJobs = false
        /// The number of outcomes that were read.
        var outcomes = 0
        /// Whether the last attempt ended with a status that is not retried.
        var hasEnded = false

        var done: Int { rendered.count + failed.count }

        /// Whether a job is counted. Results are untrusted and can name jobs that the shard does not have.
        mutating func admits(_ job: Int, _ planned: Int) -> Bool {
            if named.contains(job) { return true }
            guard named.count < planned else {
                hasForeignJobs = true
                return false
            }
            named.insert(job)
            return true
        }
    }

    /// The maximum number of different reasons that are shown. Further ones are counted together.
    private static let maximumReasonCount = 1000
    /// The maximum number of nodes that are listed.
    private static let maximumNodeCount = 10_000
    /// The maximum length of the reason of a node, in bytes.
    private static let maximumReasonLength = 4096

    private let folder: WorkFolder
    private let plan: WorkPlan
    private var shards: [Int: Shard] = [:]
    /// The codes and messages of failures, and their indices.
    private var reasons: [[String]] = []
    private var indices: [[String]: Int] = [:]
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
        let attempts = try folder.attempts(atShard: number)
        for attempt in attempts {
            // Read before the outcomes, because an attempt writes its last outcomes before its end.
            let end = try folder.end(ofAttempt: attempt, atShard: number)
            try readOutcomes(of: attempt, number, &shard)
            shard.hasEnded = end?.status == WorkRun.Status.done.rawValue
            guard let end, end.status == WorkRun.Status.unsuitableNode.rawValue,
                let node = try folder.attempt(attempt, atShard: number)?.node,
                nodes[node] != nil || nodes.count < Self.maximumNodeCount
            else { continue }
            nodes[node] = (end.reason ?? "it does not say why")
                .prefix(bytes: Self.maximumReasonLength)
        }
        try readCommitments(number, Set(attempts), &shard)
    }

    private mutating func readOutcomes(
        of attempt: String, _ number: Int, _ shard: inout Shard
    ) throws {
        let start = shard.next[attempt] ?? 0
        var next = start
        while true {
            var room = WorkFolder.maximumResultsSize
            let read = try folder.outcomes(
                ofShard: number, attempt: attempt, from: next, room: &room)
            for outcome in read.outcomes { add(outcome, to: &shard, number) }
            guard read.next > next else { break }
            next = read.next
            shard.next[attempt] = next
        }
        if shard.next[attempt] == nil || next > start { try readTimes(attempt, number, start) }
        shard.next[attempt] = next
    }

    private mutating func add(_ outcome: WorkOutcome, to shard: inout Shard, _ number: Int) {
        let job = outcome.job
        guard shard.admits(job, plan.shards[number].jobs) else { return }
        shard.outcomes += 1
        switch outcome.status {
        case .rendered:
            shard.rendered.insert(job)
            shard.failed[job] = nil
        case .failed where !shard.rendered.contains(job):
            shard.failed[job] = index(ofReason: outcome)
        case .failed: break
        case .notTried: shard.notTried.insert(job)
        }
    }

    /// Returns the index of the reason why a job failed.
    private mutating func index(ofReason outcome: WorkOutcome) -> Int {
        var reason = [outcome.code ?? "", outcome.reason ?? ""]
        if let known = indices[reason] { return known }
        if reasons.count >= Self.maximumReasonCount { reason = ["", "of other reasons"] }
        if let known = indices[reason] { return known }
        reasons.append(reason)
        indices[reason] = reasons.count - 1
        return reasons.count - 1
    }

    private mutating func readCommitments(
        _ number: Int, _ attempts: Set<String>, _ shard: inout Shard
    ) throws {
        while true {
            var room = WorkFolder.maximumResultsSize
            let read = try folder.commitments(
                ofShard: number, from: shard.nextCommitment, toGap: true, room: &room)
            for line in read.commitments {
                if line.status == .refused {
                    if attempts.contains(line.attempt) { refused.insert(line.attempt) }
                } else if shard.admits(line.job, plan.shards[number].jobs) {
                    shard.rendered.insert(line.job)
                    shard.failed[line.job] = nil
                    if line.status == .committed { shard.committed.insert(line.job) }
                }
            }
            guard read.next > shard.nextCommitment else { return }
            shard.nextCommitment = read.next
        }
    }

    /// Reads when an attempt began, and when it wrote its results.
    private mutating func readTimes(_ attempt: String, _ number: Int, _ start: Int) throws {
        guard
            let folder = try folder.folder(WorkName.results, WorkName.shard(number), attempt),
            let entries = try? self.folder.entries(of: folder)
        else { return }
        for name in entries.map(\.name) {
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
        status.isOver = true
        var (outcomes, failures) = (0, [Int: Int]())
        for (number, planned) in plan.shards.enumerated() {
            let shard = shards[number] ?? Shard()
            let notTried = shard.notTried.subtracting(shard.rendered)
                .subtracting(shard.failed.keys).count
            status.rendered += shard.rendered.count
            status.committed += shard.committed.count
            status.failed += shard.failed.count
            status.notTried += notTried
            outcomes += shard.outcomes
            for reason in shard.failed.values { failures[reason, default: 0] += 1 }
            if shard.hasForeignJobs {
                status.problems.append(
                    "shard \(number) has results of jobs that it does not have; they are ignored")
            }
            if shard.done >= planned.jobs {
                status.doneShards += 1
                continue
            }
            let hasStopped = shard.done + notTried >= planned.jobs && shard.hasEnded
            status.isOver = status.isOver && hasStopped
            status.pendingShards.append(number)
            if shard.next.isEmpty { status.waitingShards += 1 } else { status.begunShards += 1 }
        }
        status.failures =
            failures
            .map { .init(code: reasons[$0][0], reason: reasons[$0][1], count: $1) }
            .sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
        if last > first, outcomes > 0 { status.rate = Double(outcomes) / (last - first) }
        status.unableNodes = nodes.sorted { $0.key < $1.key }.map { .init(name: $0, reason: $1) }
        status.refusedAttempts = refused.sorted()
    }
}
