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

        /// A hash of what an audit compares, to compare results of one job.
        var hash: Int {
            var hasher = Hasher()
            for output in outputs {
                hasher.combine(output.sha256)
                hasher.combine([output.width, output.height])
                hasher.combine(output.duration)
            }
            return hasher.finalize()
        }
    }

    /// The outcomes that an attempt has written since the last search.
    private struct News {
        let attempt: String
        let outcomes: [WorkOutcome]
        /// The number of invalid lines.
        let invalid: Int
        /// The number of the next file.
        let next: Int
    }

    /// Processes the new results of a shard, in parts that fit into memory.
    mutating func take(_ shard: Int) async throws {
        let (folder, jobs) = (folder, plan.shards[shard].jobs)
        if shards[shard] == nil {
            shards[shard] = try reading(shard) { try Self.known(shard, in: folder, jobs) }
        }
        guard shards[shard] != nil else { return }
        // Determined before the results are read, because an attempt writes its last results before its end.
        let hasEnded = hasEnded(shard)
        while try await takePart(of: shard) {}
        while let jobs = shards[shard]?.reopened, !jobs.isEmpty {
            shards[shard]?.reopened = []
            guard try await takeOthers(of: jobs, shard) else {
                // The next search reads them again.
                shards[shard]?.reopened.formUnion(jobs)
                break
            }
        }
        shards[shard]?.hasEnded = hasEnded
    }

    /// Processes results of some jobs from the attempts that are not rejected. Returns `false` if they cannot be read
    /// now.
    private mutating func takeOthers(of numbers: Set<Int>, _ shard: Int) async throws -> Bool {
        let (folder, plan) = (folder, plan)
        let refused = shards[shard]?.refused ?? []
        let read = try reading(shard) {
            let jobs = try Self.jobs(ofShard: shard, numbers, in: folder, plan)
            let attempts = try folder.attempts(atShard: shard).filter { !refused.contains($0) }
            let results = try attempts.flatMap {
                try Self.results(of: $0, shard, numbers, in: folder)
            }
            return (jobs, results)
        }
        guard let (jobs, results) = read else { return false }
        for (number, results) in Dictionary(grouping: results, by: \.outcome.job)
            .sorted(by: { $0.key < $1.key })
        {
            try Task.checkCancellation()
            guard let job = jobs[number] else { continue }
            let matching = results.filter { $0.outcome.matches(job) }
            for result in matching { register(result, shard) }
            try await take(matching, of: job, shard)
        }
        return true
    }

    /// Returns the last rendered result of each of some jobs that an attempt wrote.
    private static func results(
        of attempt: String, _ shard: Int, _ jobs: Set<Int>, in folder: WorkFolder
    ) throws -> [Result] {
        var (found, next) = ([Int: Result](), 0)
        while true {
            var room = WorkFolder.maximumResultsSize
            let read = try folder.outcomes(
                ofShard: shard, attempt: attempt, from: next, room: &room)
            for outcome in read.outcomes where jobs.contains(outcome.job) {
                guard let outputs = outcome.outputs else { continue }
                found[outcome.job] = Result(attempt: attempt, outcome: outcome, outputs: outputs)
            }
            guard read.next > next else { return found.keys.sorted().compactMap { found[$0] } }
            next = read.next
        }
    }

    /// Whether the last attempt at a shard ended as one that is not retried.
    private func hasEnded(_ number: Int) -> Bool {
        guard let last = (try? folder.attempts(atShard: number))?.last else { return false }
        return (try? folder.end(ofAttempt: last, atShard: number))?.status
            == WorkRun.Status.done.rawValue
    }

    /// Processes a part of the new results of a shard. Returns `false` if there are none, or if they cannot be read
    /// now.
    private mutating func takePart(of shard: Int) async throws -> Bool {
        let (folder, plan) = (folder, plan)
        let news = try news(of: shard)
        if news.isEmpty { return false }
        let numbers = Set(news.flatMap { $0.outcomes.map(\.job) })
        let jobs = try reading(shard) {
            try Self.jobs(ofShard: shard, numbers, in: folder, plan)
        }
        // Nothing has been counted, so the next search reads the results again.
        guard let jobs else { return false }
        for (job, results) in try add(news, jobs, shard).sorted(by: { $0.key < $1.key }) {
            try Task.checkCancellation()
            if let planned = jobs[job] { try await take(results, of: planned, shard) }
            let isDue = !group.isEmpty && groupStart.duration(to: .now) >= options.interval
            if isDue || skipped.count >= 1000 { try await commitGroup() }
        }
        return true
    }

    /// Reads what earlier commits recorded about a shard.
    private static func known(_ number: Int, in folder: WorkFolder, _ jobs: Int) throws -> Shard {
        let attempts = Set(try folder.attempts(atShard: number))
        var (shard, next) = (Shard(), 0)
        var suspicious: [String: Int] = [:]
        while true {
            var room = WorkFolder.maximumResultsSize
            let read = try folder.commitments(ofShard: number, from: next, room: &room)
            for line in read.commitments {
                if line.status == .refused {
                    guard attempts.contains(line.attempt) else { continue }
                    shard.refused.insert(line.attempt)
                    suspicious[line.attempt] = line.job
                } else if shard.recorded.count < jobs {
                    // The records are untrusted and can name jobs that the shard does not have.
                    shard.recorded.insert(line.job)
                }
            }
            guard read.next > next else { break }
            next = read.next
        }
        // One job of each attempt, because the records are untrusted and an audit takes time.
        shard.suspicious = Set(suspicious.values)
        return shard
    }

    /// Returns the jobs of a shard with some numbers, without the data that commits do not need.
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

    /// Reads the outcomes that were written since the last search, as far as they fit into memory.
    private mutating func news(of number: Int) throws -> [News] {
        let folder = folder
        let attempts = try reading(number) { try folder.attempts(atShard: number) } ?? []
        var (news, room) = ([News](), WorkFolder.maximumResultsSize)
        for name in attempts where room > 0 {
            let first = shards[number]?.next[name] ?? 0
            let read = try reading(number) {
                try folder.outcomes(ofShard: number, attempt: name, from: first, room: &room)
            }
            guard let (outcomes, invalid, next) = read, next > first else { continue }
            news.append(News(attempt: name, outcomes: outcomes, invalid: invalid, next: next))
        }
        return news
    }

    /// Counts outcomes and reports invalid ones. Returns the rendered ones by the number of their job.
    private mutating func add(
        _ news: [News], _ jobs: [Int: WorkJob], _ number: Int
    ) throws -> [Int: [Result]] {
        var found: [Int: [Result]] = [:]
        for part in news {
            shards[number]?.next[part.attempt] = part.next
            try leave(part.invalid, of: part.attempt, number, "of its lines are invalid")
            let known = part.outcomes.filter { jobs[$0.job] != nil }
            try leave(
                part.outcomes.count - known.count, of: part.attempt, number,
                "of its results are of jobs that the shard does not have")
            for outcome in known {
                guard let outputs = count(outcome, number) else { continue }
                let result = Result(attempt: part.attempt, outcome: outcome, outputs: outputs)
                found[outcome.job, default: []].append(result)
                if let job = jobs[outcome.job], outcome.matches(job) { register(result, number) }
            }
        }
        return found
    }

    /// Counts an outcome. Returns its outputs if it may be committed.
    private mutating func count(
        _ outcome: WorkOutcome, _ number: Int
    ) -> [WorkOutcome.Output]? {
        guard outcome.status != .notTried else {
            shards[number]?.notTried.insert(outcome.job)
            return nil
        }
        shards[number]?.outcomes.insert(outcome.job)
        if outcome.outputs == nil { shards[number]?.failed.insert(outcome.job) }
        return outcome.outputs
    }

    /// Records the first result of a job and the files that it needs.
    private mutating func register(_ result: Result, _ number: Int) {
        let job = result.outcome.job
        guard let shard = shards[number], !shard.refused.contains(result.attempt),
            !shard.finished.contains(job), shard.disproved[job]?.contains(result.hash) != true
        else { return }
        let first = shard.rendered[job] ?? First(hash: result.hash, attempt: result.attempt)
        shards[number]?.rendered[job] = first
        // The files of a result that differs are not used.
        guard first.hash == result.hash else { return }
        for output in result.outputs {
            shards[number]?.uses[output.sha256, default: []].insert(job)
        }
    }

    /// Reports results of an attempt that cannot be assigned to a photo.
    private mutating func leave(
        _ count: Int, of attempt: String, _ shard: Int, _ reason: String
    ) throws {
        guard count > 0 else { return }
        summary.damaged += count
        try report(
            .damaged(asset: nil, self.attempt(attempt, shard), reason: "\(count) \(reason)"))
    }

    // MARK: - One job

    /// Commits one of the results of a job, unless they differ.
    private mutating func take(_ results: [Result], of job: WorkJob, _ number: Int) async throws {
        let matching = try accepted(results, of: job, number)
        guard let result = matching.first else { return }
        let first =
            shards[number]?.rendered[job.job] ?? First(hash: result.hash, attempt: result.attempt)
        shards[number]?.rendered[job.job] = first
        guard matching.allSatisfy({ $0.hash == first.hash }) else {
            summary.differing += 1
            shards[number]?.differing.insert(job.job)
            let attempts = Set(matching.map(\.attempt) + [first.attempt]).sorted()
            return try report(
                .differing(asset: job.asset, attempts: attempts.map { attempt($0, number) }))
        }
        if shards[number]?.finished.contains(job.job) == true { return }
        for result in matching {
            // An audit of a result with the same bytes has failed.
            if shards[number]?.disproved[job.job]?.contains(result.hash) == true {
                try refuse(result, of: job, number)
            } else if try await take(result, of: job, number) {
                shards[number]?.finished.insert(job.job)
                return
            }
        }
    }

    /// Returns the results that may be committed, after counting and reporting the others.
    private mutating func accepted(
        _ results: [Result], of job: WorkJob, _ number: Int
    ) throws -> [Result] {
        var accepted: [Result] = []
        for result in results {
            if shards[number]?.refused.contains(result.attempt) == true {
                summary.refused += 1
            } else if shards[number]?.disproved[job.job]?.contains(result.hash) == true {
                try refuse(result, of: job, number)
            } else if result.outcome.matches(job) {
                accepted.append(result)
            } else {
                try leave(result, number, job.asset, "it does not match the plan")
            }
        }
        return accepted.filter { shards[number]?.refused.contains($0.attempt) != true }
    }

    /// Verifies a result and stages its files. Returns `false` if another attempt's result may be taken instead.
    private mutating func take(
        _ result: Result, of job: WorkJob, _ number: Int
    ) async throws -> Bool {
        let place = Place(shard: number, attempt: result.attempt, job: job.job)
        switch try await verification.verdict(on: result.outputs, of: job) {
        case .left(let status):
            summary.count(status)
            try report(.left(asset: job.asset, status))
            skipped.append(Skipped(place: place, status: status))
            return true
        case .valid(let asset, let outputs):
            switch try await audit(outputs, of: job, number) {
            case .passed: break
            case .impossible: return false
            case .failed:
                try refuse(result, of: job, number)
                return false
            }
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
        if let seconds = result.outcome.seconds {
            rates.note(seconds, of: outputs.map { ($0.target.plan, $0.target.settings) })
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
