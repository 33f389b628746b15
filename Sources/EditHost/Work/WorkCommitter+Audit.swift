// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension WorkCommitter {
    /// The outcome of auditing a result.
    enum Audit {
        /// This machine renders the same bytes, or the result is not in the sample.
        case passed
        case failed
        /// This machine cannot render it.
        case impossible
    }

    /// Renders the outputs of a job again and compares them, if the job is in the sample or is suspicious.
    mutating func audit(
        _ outputs: [WorkVerification.Output], of job: WorkJob, _ number: Int
    ) async throws -> Audit {
        let isSuspicious = shards[number]?.suspicious.contains(job.job) == true
        guard isSuspicious || Double.random(in: 0..<100) < options.audit else { return .passed }
        do {
            return try await isReproduced(outputs) ? .passed : .failed
        } catch let error as LibraryError where error.isAboutMissingOriginal {
            try report(.notAudited(asset: job.asset, error))
        } catch let error as HostError where error.code != .cancelled {
            try report(.notAudited(asset: job.asset, error))
        }
        summary.notAudited += 1
        return .impossible
    }

    /// Whether this machine renders the same bytes and sizes.
    private func isReproduced(_ outputs: [WorkVerification.Output]) async throws -> Bool {
        // An output above a new base is rendered from the base that was rendered here.
        var bases: [SHA256Digest: RenderedContent] = [:]
        for output in outputs {
            let (made, target) = (output.made, output.target)
            let content = try await renderer.content(
                of: target.plan, target.settings, over: bases[target.plan.base])
            guard content.blob.hash == made.sha256.digest, content.pixelWidth == made.width,
                content.pixelHeight == made.height, content.duration == made.duration
            else { return false }
            bases[content.blob.hash] = content
        }
        return true
    }

    /// Rejects the attempt whose result failed an audit: nothing more is accepted from it, now and in later commits.
    /// The same bytes are not accepted from any attempt.
    mutating func refuse(_ result: Result, of job: WorkJob, _ number: Int) throws {
        let place = Place(shard: number, attempt: result.attempt, job: job.job)
        shards[number]?.disproved[job.job, default: []].insert(result.hash)
        guard shards[number]?.refused.insert(place.attempt).inserted == true else {
            summary.refused += 1
            return
        }
        summary.auditFailures += 1
        withdraw(place)
        recordIfPossible([place.commitment(.refused)], number)
        let attempt = attempt(place.attempt, number)
        try report(.auditFailed(asset: job.asset, attempt, taken: try assets(from: place)))
    }

    /// Discards the results of an attempt that are not committed yet, so that those of other attempts can be used.
    private mutating func withdraw(_ place: Place) {
        func isWithdrawn(_ item: Item) -> Bool {
            item.place.shard == place.shard && item.place.attempt == place.attempt
        }
        let jobs = group.filter(isWithdrawn).map(\.place.job)
        group.removeAll(where: isWithdrawn)
        summary.refused += jobs.count
        guard var shard = shards[place.shard] else { return }
        shard.finished.subtract(jobs)
        // The results of other attempts are not compared with those of this one.
        let refused = shard.rendered.filter { $0.value.attempt == place.attempt }.keys
        for job in refused { shard.rendered[job] = nil }
        shard.reopened.formUnion(shard.differing.union(refused).subtracting(shard.finished))
        shard.differing = []
        shards[place.shard] = shard
    }

    /// Returns the assets with renditions that come from an attempt, according to the library.
    private func assets(from place: Place) throws -> [String] {
        var (assets, next) = (Set<String>(), 0)
        while true {
            var room = WorkFolder.maximumResultsSize
            let read = try folder.outcomes(
                ofShard: place.shard, attempt: place.attempt, from: next, room: &room)
            let rendered = read.outcomes.filter { $0.outputs != nil }
            let jobs = try Self.jobs(
                ofShard: place.shard, Set(rendered.map(\.job)), in: folder, plan)
            for outcome in rendered {
                guard let asset = jobs[outcome.job]?.asset, hasRenditions(of: outcome, asset)
                else { continue }
                assets.insert(asset)
            }
            guard read.next > next else { return assets.sorted() }
            next = read.next
        }
    }

    private func hasRenditions(of outcome: WorkOutcome, _ asset: String) -> Bool {
        guard let history = try? library.history(ofAsset: asset) else { return false }
        let stored = Set(
            history.states.flatMap(\.chain).flatMap { edit in
                edit.renditions.map { "\(edit.identifier) \($0.blob.hex)" }
            })
        return (outcome.outputs ?? []).contains { stored.contains("\($0.edit) \($0.sha256)") }
    }
}
