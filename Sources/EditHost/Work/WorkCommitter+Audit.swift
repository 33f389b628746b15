// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension WorkCommitter {
    /// Renders a sample of the results again and compares them. Returns `false` if a result must not be taken.
    mutating func isConfirmed(
        _ outputs: [WorkVerification.Output], _ place: Place, _ asset: String
    ) async throws -> Bool {
        guard options.audit > 0, Double.random(in: 0..<100) < options.audit else { return true }
        do {
            if try await isReproduced(outputs) { return true }
        } catch let error as LibraryError where error.isAboutMissingOriginal {
            summary.notAudited += 1
            try report(.notAudited(asset: asset, error))
            return false
        } catch let error as HostError where error.code != .cancelled {
            summary.notAudited += 1
            try report(.notAudited(asset: asset, error))
            return false
        }
        try refuse(place, asset)
        return false
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

    /// Takes nothing more from an attempt, now and in later commits.
    private mutating func refuse(_ place: Place, _ asset: String) throws {
        summary.auditFailures += 1
        group.removeAll { $0.place.shard == place.shard && $0.place.attempt == place.attempt }
        shards[place.shard]?.refused.insert(place.attempt)
        // The results of other attempts are not compared with those of this one.
        let rendered = shards[place.shard]?.rendered ?? [:]
        shards[place.shard]?.rendered = rendered.filter { $0.value.attempt != place.attempt }
        try record([place.commitment(.refused)], place.shard)
        let attempt = attempt(place.attempt, place.shard)
        try report(.auditFailed(asset: asset, attempt, taken: try assets(from: place)))
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
