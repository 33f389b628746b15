// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// The work of earlier attempts at a shard, according to the untrusted results.
struct ShardAttempts: Sendable {
    /// A job that was in flight when this many attempts died runs alone and last.
    static let suspiciousDeaths = 2
    /// A job that was in flight when this many attempts died has failed.
    static let maximumDeaths = 3

    /// The jobs that are committed or have an outcome whose files exist.
    private(set) var settled: Set<Int> = []
    /// The number of attempts that died with a job in flight, by the job.
    private(set) var deaths: [Int: Int] = [:]
    /// The nodes that found an input of a job damaged, by the job.
    private(set) var damage: [Int: Set<String>] = [:]
    /// Whether there was an earlier attempt.
    private(set) var hasAttempts = false

    /// - Parameter jobs: The jobs of the shard.
    /// - Throws: `HostError` if the results cannot be read.
    init(ofShard shard: Int, _ jobs: [WorkJob], in folder: WorkFolder) throws {
        let planned = Dictionary(jobs.map { ($0.job, $0) }, uniquingKeysWith: { first, _ in first })
        let files = try folder.folder(WorkName.results, WorkName.shard(shard), WorkName.files)
        settled = try Self.committed(shard, planned, in: folder)
        for attempt in try folder.attempts(atShard: shard) {
            hasAttempts = true
            let node = try folder.attempt(attempt, atShard: shard)?.node ?? attempt
            let (outcomes, finished) = try Self.outcomes(of: attempt, shard, planned, in: folder)
            for outcome in outcomes { add(outcome, by: node, files) }
            guard try folder.end(ofAttempt: attempt, atShard: shard) == nil else { continue }
            for job in try folder.jobsInFlight(ofAttempt: attempt, atShard: shard)
            where planned[job] != nil && !finished.contains(job) {
                deaths[job, default: 0] += 1
            }
        }
    }

    /// Returns the planned jobs whose results a commit has recorded as processed. Reads the untrusted files in parts.
    private static func committed(
        _ shard: Int, _ planned: [Int: WorkJob], in folder: WorkFolder
    ) throws -> Set<Int> {
        var (found, next) = (Set<Int>(), 0)
        while true {
            var room = WorkFolder.maximumResultsSize
            let read = try folder.commitments(ofShard: shard, from: next, room: &room)
            for line in read.commitments where planned[line.job] != nil { found.insert(line.job) }
            guard read.next > next else { return found }
            next = read.next
        }
    }

    /// Returns the last outcome of each job that matches the plan, and the planned jobs with an outcome. Reads the
    /// untrusted files in parts, so that they take a limited amount of memory.
    private static func outcomes(
        of attempt: String, _ shard: Int, _ planned: [Int: WorkJob], in folder: WorkFolder
    ) throws -> ([WorkOutcome], finished: Set<Int>) {
        var (found, finished, next) = ([Int: WorkOutcome](), Set<Int>(), 0)
        while true {
            var room = WorkFolder.maximumResultsSize
            let read = try folder.outcomes(
                ofShard: shard, attempt: attempt, from: next, room: &room)
            for outcome in read.outcomes {
                guard let job = planned[outcome.job] else { continue }
                finished.insert(outcome.job)
                if outcome.matches(job) { found[outcome.job] = outcome }
            }
            guard read.next > next else { return (Array(found.values), finished) }
            next = read.next
        }
    }

    private mutating func add(_ outcome: WorkOutcome, by node: String, _ files: Folder?) {
        switch outcome.status {
        case .failed: settled.insert(outcome.job)
        case .rendered:
            let arePresent = (outcome.outputs ?? []).allSatisfy { output in
                guard let status = try? files?.status(output.sha256.hex) else { return false }
                return status.isPlainFile && Int(status.st_size) == output.size
            }
            if arePresent { settled.insert(outcome.job) }
        case .notTried:
            if outcome.code == WorkFailure.inputDamaged {
                damage[outcome.job, default: []].insert(node)
            }
        }
    }
}
