// SPDX-License-Identifier: Apache-2.0

import Library

/// Takes results of a work folder into a library.
///
/// Everything in the folder is untrusted. What is committed follows from the library, not from what earlier commits
/// wrote to the folder, so a commit may be repeated, and interrupted at any time.
/// See docs/design/decisions/0040-work-folders.md.
struct WorkCommitter {
    /// What is known of a shard's results.
    struct Shard {
        /// The number of the next file of results, by attempt.
        var next: [String: Int] = [:]
        /// The jobs with an outcome.
        var outcomes: Set<Int> = []
        /// The jobs that failed.
        var failed: Set<Int> = []
        /// A hash of the outputs of each rendered job, by its number.
        var rendered: [Int: Int] = [:]
        /// The jobs whose result was committed, is present, or does not apply any more.
        var finished: Set<Int> = []
        /// The attempts that failed an audit.
        var refused: Set<String> = []
        /// The jobs that are recorded in the folder.
        var recorded: Set<Int> = []
        /// The unfinished jobs that refer to each file.
        var uses: [WorkHash: Set<Int>] = [:]
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
    var shards: [Int: Shard] = [:]
    var group: [Item] = []
    var skipped: [Skipped] = []
    var groupStart = ContinuousClock.now
    var summary = WorkCommitSummary()
    /// The first failure to record results in the folder.
    var recordFailure: (any Error)?

    var verification: WorkVerification { WorkVerification(library, renderer) }

    /// Commits the results that exist, or all results if the options request it.
    ///
    /// - Throws: `HostError`; `LibraryError`; `CancellationError`; errors of `report`.
    mutating func run() async throws -> WorkCommitSummary {
        while true {
            for number in try folder.shardsWithResults() where number < plan.shards.count {
                try await take(number)
            }
            try await commitGroup()
            guard options.follow, outcomeCount < plan.jobCount else { break }
            try await Task.sleep(for: options.interval)
        }
        summary.failed = shards.values.map { $0.failed.subtracting($0.rendered.keys).count }
            .reduce(0, +)
        summary.pending = max(0, plan.jobCount - outcomeCount)
        if let recordFailure { throw recordFailure }
        return summary
    }

    /// The number of jobs with an outcome. Results are untrusted and can name jobs that a shard does not have.
    private var outcomeCount: Int {
        shards.map { min($0.value.outcomes.count, plan.shards[$0.key].jobs) }.reduce(0, +)
    }

    /// Returns the value of a closure that reads a shard; `nil` after reporting that its files cannot be read.
    mutating func reading<Value>(_ shard: Int, _ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch let error as HostError {
            summary.unreadable += 1
            try report(.unreadable(shard: shard, error))
            return nil
        }
    }

    /// Returns an attempt with the node that it names.
    func attempt(_ name: String, _ shard: Int) -> WorkCommitEvent.Attempt {
        let node = (try? folder.attempt(name, atShard: shard))?.node
        return .init(name: name, shard: shard, node: node)
    }
}
