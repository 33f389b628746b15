// SPDX-License-Identifier: Apache-2.0

import Library
import RunnerHost

/// Commits the results of a work folder to a library.
///
/// Everything in the folder is untrusted. The library determines what is committed, not the records that earlier
/// commits wrote to the folder. A commit may therefore be repeated, and may be interrupted at any time. See
/// docs/design/decisions/0040-work-folders.md.
struct WorkCommitter {
    /// The state of a shard's results.
    struct Shard {
        /// The number of the next file of results, by attempt.
        var next: [String: Int] = [:]
        /// The jobs with an outcome.
        var outcomes: Set<Int> = []
        /// The jobs that failed.
        var failed: Set<Int> = []
        /// The jobs that an attempt skipped. Others may have rendered them.
        var notTried: Set<Int> = []
        /// The first result of each rendered job, by its number.
        var rendered: [Int: First] = [:]
        /// The jobs whose result was committed, is present, or no longer applies.
        var finished: Set<Int> = []
        /// The attempts that failed an audit.
        var refused: Set<String> = []
        /// The hashes of results that failed an audit of this commit, by job.
        var disproved: [Int: Set<Int>] = [:]
        /// The jobs with a result that failed an audit of an earlier commit. All their results are audited.
        var suspicious: Set<Int> = []
        /// The jobs whose results differ.
        var differing: Set<Int> = []
        /// The jobs for which results of other attempts, which were read already, may be accepted after a rejection.
        var reopened: Set<Int> = []
        /// The jobs that are recorded in the folder.
        var recorded: Set<Int> = []
        /// Whether the last attempt had ended before its results were read, with a status that is not retried.
        var hasEnded = false
        /// The unfinished jobs that refer to each file.
        var uses: [WorkHash: Set<Int>] = [:]
    }

    /// The first result of a job, with which later ones are compared.
    struct First {
        /// A hash of the outputs.
        let hash: Int
        let attempt: String
    }

    /// A result that is staged and will be committed with others.
    struct Item {
        let asset: Asset
        let contents: [Content]
        let place: Place
        let files: [WorkHash]
    }

    /// A result that is not committed, or was committed before, and is recorded with others.
    struct Skipped {
        let place: Place
        let status: WorkCommitment.Status
        /// The files to remove.
        var files: [WorkHash] = []
    }

    /// A staged rendition of an edit.
    struct Content {
        let rendered: RenderedContent
        let kind: Rendition.Kind
        let edit: String
    }

    /// A result of an attempt at a shard.
    struct Place {
        let shard: Int
        let attempt: String
        let job: Int

        func commitment(_ status: WorkCommitment.Status) -> WorkCommitment {
            WorkCommitment(job: job, attempt: attempt, status: status)
        }
    }

    let folder: WorkFolder
    let plan: WorkPlan
    let library: PhotoLibrary
    let renderer: Renderer
    let options: WorkCommitOptions
    let report: (WorkCommitEvent) throws -> Void
    let rates: RenderingRates
    var shards: [Int: Shard] = [:]
    var group: [Item] = []
    var skipped: [Skipped] = []
    var groupStart = ContinuousClock.now
    var summary = WorkCommitSummary()
    /// The first failure to record results in the folder.
    var recordFailure: (any Error)?
    /// The shards that could not be read in the current search, with the last error of each.
    var unreadable: [Int: HostError] = [:]
    /// The messages about unreadable shards that were reported.
    var reported: Set<String> = []

    var verification: WorkVerification { WorkVerification(library, renderer) }

    /// Commits the results that exist, or all results if the options request it.
    ///
    /// - Throws: `HostError`; `LibraryError`; `CancellationError`; errors of `report`.
    mutating func run() async throws -> WorkCommitSummary {
        defer { rates.save() }
        while true {
            unreadable = [:]
            for number in try folder.shardsWithResults() where number < plan.shards.count {
                try await take(number)
            }
            try await commitGroup()
            guard options.follow, !plan.shards.indices.allSatisfy(isOver) else { break }
            try await Task.sleep(for: options.interval)
        }
        summary.failed = shards.values.map { $0.failed.subtracting($0.rendered.keys).count }
            .reduce(0, +)
        summary.unreadable = unreadable.count
        summary.pending = max(0, plan.jobCount - outcomeCount)
        summary.notTried = shards.filter { isOver($0.key) }
            .map { $0.value.notTried.subtracting($0.value.outcomes).count }.reduce(0, +)
        if let recordFailure { throw recordFailure }
        return summary
    }

    /// The number of jobs with an outcome.
    private var outcomeCount: Int { shards.values.map(\.outcomes.count).reduce(0, +) }

    /// Whether no engine will add results to a shard unless it is submitted again: every job has an outcome or was left
    /// out, and the last attempt ended with a status that is not retried.
    private func isOver(_ number: Int) -> Bool {
        // A shard that differs from the planned one will not change.
        if unreadable[number]?.code == .badInput { return true }
        guard let shard = shards[number] else { return false }
        let jobs = plan.shards[number].jobs
        if shard.outcomes.count >= jobs { return true }
        return shard.hasEnded && shard.outcomes.union(shard.notTried).count >= jobs
    }

    /// Returns the value of a closure that reads a shard; `nil` after reporting that its files cannot be read. The next
    /// search reads them again.
    mutating func reading<Value>(_ shard: Int, _ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch let error as HostError {
            unreadable[shard] = error
            if reported.insert("\(shard): \(error.message)").inserted {
                try report(.unreadable(shard: shard, error))
            }
            return nil
        }
    }

    /// Returns an attempt with the node that it names.
    func attempt(_ name: String, _ shard: Int) -> WorkCommitEvent.Attempt {
        let node = (try? folder.attempt(name, atShard: shard))?.node
        return .init(name: name, shard: shard, node: node)
    }
}
