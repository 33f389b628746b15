// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library

extension WorkCommitter {
    /// A rendered outcome of an attempt.
    struct Result {
        let attempt: String
        let outcome: WorkOutcome
        let outputs: [WorkOutcome.Output]

        /// A hash of the files, to compare results of one job.
        var hash: Int { outputs.map(\.sha256).hashValue }
    }

    /// Takes the new results of a shard.
    mutating func take(_ shard: Int) async throws {
        let (folder, plan) = (folder, plan)
        if shards[shard] == nil {
            shards[shard] = try reading(shard) { try Self.known(shard, in: folder) }
        }
        guard let found = try newResults(shard), !found.isEmpty else { return }
        let jobs = try reading(shard) {
            try Self.jobs(ofShard: shard, Set(found.keys), in: folder, plan)
        }
        guard let jobs else { return }
        for (job, results) in found.sorted(by: { $0.key < $1.key }) {
            try Task.checkCancellation()
            if let planned = jobs[job] {
                try await take(results, of: planned, shard)
            } else {
                for result in results {
                    try leave(result, shard, nil, "the shard has no job \(job)")
                }
            }
            let isDue = !group.isEmpty && groupStart.duration(to: .now) >= options.interval
            if isDue || skipped.count >= 1000 { try await commitGroup() }
        }
    }

    /// Reads what earlier commits recorded about a shard.
    private static func known(_ number: Int, in folder: WorkFolder) throws -> Shard {
        var shard = Shard()
        for line in try folder.commitments(ofShard: number).commitments {
            if line.status == .refused { shard.refused.insert(line.attempt) }
            shard.recorded.insert(line.job)
        }
        return shard
    }

    /// Returns the jobs of a shard with some numbers, without what is not needed here.
    static func jobs(
        ofShard number: Int, _ wanted: Set<Int>, in folder: WorkFolder, _ plan: WorkPlan
    ) throws -> [Int: WorkJob] {
        var reader = try folder.jobs(ofShard: number, in: plan)
        var jobs: [Int: WorkJob] = [:]
        while jobs.count < wanted.count, let job = try reader.next() {
            guard wanted.contains(job.job) else { continue }
            let inputs = job.inputs.map { input in
                var input = input
                input.facts = nil
                return input
            }
            jobs[job.job] = WorkJob(
                job: job.job, asset: job.asset, cost: job.cost, inputs: inputs, steps: [],
                outputs: job.outputs)
        }
        return jobs
    }

    /// Reads the outcomes that were written since the last call. Returns the rendered ones by the number of their job;
    /// `nil` if the shard cannot be read.
    private mutating func newResults(_ number: Int) throws -> [Int: [Result]]? {
        let folder = folder
        guard let attempts = try reading(number, { try folder.attempts(atShard: number) }) else {
            return nil
        }
        var found: [Int: [Result]] = [:]
        for name in attempts {
            let first = shards[number]?.next[name] ?? 0
            let read = try reading(number) {
                try folder.outcomes(ofShard: number, attempt: name, from: first)
            }
            guard let (outcomes, invalid, next) = read else { continue }
            shards[number, default: Shard()].next[name] = next
            if invalid > 0 {
                summary.damaged += invalid
                let reason = "\(invalid) of its lines are invalid"
                try report(.damaged(asset: nil, attempt(name, number), reason: reason))
            }
            for outcome in outcomes {
                guard let outputs = count(outcome, of: name, number) else { continue }
                found[outcome.job, default: []].append(
                    Result(attempt: name, outcome: outcome, outputs: outputs))
            }
        }
        return found
    }

    /// Counts an outcome. Returns its outputs if it may be committed.
    private mutating func count(
        _ outcome: WorkOutcome, of attempt: String, _ number: Int
    ) -> [WorkOutcome.Output]? {
        guard outcome.status != .notTried else { return nil }
        shards[number]?.outcomes.insert(outcome.job)
        guard let outputs = outcome.outputs else {
            shards[number]?.failed.insert(outcome.job)
            return nil
        }
        if shards[number]?.finished.contains(outcome.job) == false {
            for output in outputs {
                shards[number]?.uses[output.sha256, default: []].insert(outcome.job)
            }
        }
        return outputs
    }

    // MARK: - One job

    /// Takes one of the results of a job, unless they differ.
    private mutating func take(_ results: [Result], of job: WorkJob, _ number: Int) async throws {
        let refused = shards[number]?.refused ?? []
        let accepted = results.filter { !refused.contains($0.attempt) }
        summary.refused += results.count - accepted.count
        guard let first = accepted.first else { return }
        let known = shards[number]?.rendered[job.job]
        shards[number]?.rendered[job.job] = known ?? first.hash
        guard accepted.allSatisfy({ $0.hash == known ?? first.hash }) else {
            summary.differing += 1
            let attempts = Set(accepted.map(\.attempt)).sorted().map { attempt($0, number) }
            return try report(.differing(asset: job.asset, attempts: attempts))
        }
        if shards[number]?.finished.contains(job.job) == true { return }
        for result in accepted where try await take(result, of: job, number) {
            shards[number]?.finished.insert(job.job)
            return
        }
    }

    /// Verifies a result and stages its files. Returns `false` if another attempt's result may be taken instead.
    private mutating func take(
        _ result: Result, of job: WorkJob, _ number: Int
    ) async throws -> Bool {
        guard result.outcome.matches(job) else {
            try leave(result, number, job.asset, "it does not match the plan")
            return false
        }
        let place = Place(shard: number, attempt: result.attempt, job: job.job)
        switch try await verification.verdict(on: result.outputs, of: job) {
        case .left(let status):
            summary.count(status)
            try report(.left(asset: job.asset, status))
            skipped.append(Skipped(place: place, status: status))
            return true
        case .valid(let asset, let outputs):
            guard try await isConfirmed(outputs, place, job.asset) else { return false }
            return try await take(outputs, result, of: job, place, asset)
        }
    }

    private mutating func take(
        _ outputs: [WorkVerification.Output], _ result: Result, of job: WorkJob, _ place: Place,
        _ asset: Asset
    ) async throws -> Bool {
        let files = result.outputs.map(\.sha256)
        let missing = outputs.filter { !$0.isStored }
        if missing.isEmpty { return try skip(files, place, job.asset) }
        var contents: [Content] = []
        for output in missing {
            switch try staged(output, place.shard) {
            case .success(let content): contents.append(content)
            case .failure(let defect):
                // Another commit may have taken the result and removed its files.
                if case .valid(_, let now) = try await verification.verdict(
                    on: result.outputs, of: job), now.allSatisfy(\.isStored)
                {
                    return try skip(files, place, job.asset)
                }
                try leave(result, place.shard, asset.localIdentifier, defect.reason)
                return false
            }
        }
        if group.isEmpty { groupStart = .now }
        group.append(
            Item(asset: asset, contents: contents, place: place, files: files))
        if group.count >= options.group { try await commitGroup() }
        return true
    }

    /// Skips a result that the library has.
    private mutating func skip(
        _ files: [WorkHash], _ place: Place, _ asset: String
    ) throws -> Bool {
        summary.present += 1
        try report(.present(asset: asset))
        skipped.append(Skipped(place: place, status: .committed, files: files))
        return true
    }

    /// Reports a result that is damaged.
    private mutating func leave(
        _ result: Result, _ shard: Int, _ asset: String?, _ reason: String
    ) throws {
        summary.damaged += 1
        try report(.damaged(asset: asset, attempt(result.attempt, shard), reason: reason))
    }
}
