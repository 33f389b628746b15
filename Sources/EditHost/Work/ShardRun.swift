// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerHost
import Synchronization

/// Renders the pending jobs of a shard and records their outcomes.
struct ShardRun: Sendable {
    /// The number of consecutive failures caused by the node that ends the attempt.
    private static let maximumNodeFailures = 3

    let renderer: WorkRenderer
    let recorder: AttemptRecorder
    let history: ShardAttempts
    let stop: WorkStop
    let memory: MemoryBudget?
    /// The name of this node.
    let node: String
    let progress: @Sendable (WorkRun.Progress) -> Void

    /// The outcome of a job.
    private enum Result: Sendable {
        case rendered, failed, notTried
        /// The job has no outcome, because of the node or because the attempt was stopped.
        case left
    }

    private final class Tally: Sendable {
        struct State {
            var counts = WorkRun.Counts()
            var nodeFailures = 0
            /// The last failure that the node caused.
            var failure: WorkRun.End?
            var isOver = false
        }

        let state = Mutex(State())
        var isOver: Bool { state.withLock { $0.isOver } }

        func add(_ result: Result) {
            state.withLock { state in
                switch result {
                case .rendered: state.counts.rendered += 1
                case .failed: state.counts.failed += 1
                case .notTried: state.counts.notTried += 1
                case .left: state.counts.left += 1
                }
                if result != .left { state.nodeFailures = 0 }
            }
        }

        func fail(_ status: WorkRun.Status, _ reason: String) {
            state.withLock { state in
                state.nodeFailures += 1
                state.failure = WorkRun.End(status: status, reason: reason)
                if state.nodeFailures >= ShardRun.maximumNodeFailures { state.isOver = true }
            }
        }
    }

    /// Runs the jobs in their order, and those that may have killed earlier attempts alone and last.
    func run(_ jobs: [WorkJob], limit: Int) async -> WorkRun.End {
        let tally = Tally()
        progress(.begins(count: jobs.count))
        let dead = jobs.filter { deaths(of: $0) >= ShardAttempts.maximumDeaths }
        let suspects = jobs.filter { deaths(of: $0) == ShardAttempts.suspiciousDeaths }
        let others = jobs.filter { deaths(of: $0) < ShardAttempts.suspiciousDeaths }
        for job in dead {
            let reason = "the worker died \(deaths(of: job)) times while it rendered this"
            let outcome = WorkOutcome(
                job: job.job, .failed, code: WorkFailure.workerDied, reason: reason)
            tally.add(record(outcome, .failed, tally))
        }
        for (jobs, limit) in [(others, limit), (suspects, 1)] {
            await withTaskGroup(of: Void.self) { group in
                for (count, job) in jobs.enumerated() {
                    if count >= max(1, limit) { await group.next() }
                    group.addTask { await attempt(job, tally) }
                }
            }
        }
        return end(tally, of: jobs.count)
    }

    private func deaths(of job: WorkJob) -> Int { history.deaths[job.job] ?? 0 }

    private func end(_ tally: Tally, of count: Int) -> WorkRun.End {
        var state = tally.state.withLock { $0 }
        let counts = state.counts
        state.counts.left = count - counts.rendered - counts.failed - counts.notTried
        let isInterrupted = stop.isRequested || Task.isCancelled
        if state.counts.left == 0 {
            return WorkRun.End(status: .done, counts: state.counts)
        }
        if isInterrupted, !state.isOver {
            return WorkRun.End(
                status: .interrupted, reason: "interrupted", counts: state.counts)
        }
        return WorkRun.End(
            status: state.failure?.status ?? .unsuitableNode, reason: state.failure?.reason,
            counts: state.counts)
    }

    private func attempt(_ job: WorkJob, _ tally: Tally) async {
        guard !stop.isRequested, !Task.isCancelled, !tally.isOver else { return }
        let result: Result
        if let memory {
            result = await memory.using(job.renderingMemory) { await rendered(job, tally) }
        } else {
            result = await rendered(job, tally)
        }
        tally.add(result)
        progress(.ended(asset: job.asset))
    }

    private func rendered(_ job: WorkJob, _ tally: Tally) async -> Result {
        guard !stop.isRequested, !Task.isCancelled, !tally.isOver else { return .left }
        if let quarantined = quarantinedExtension(of: job) {
            return notTried(
                job, "its extension is in quarantine", quarantined.manifest.identifier, tally)
        }
        do {
            try await onDisk { try recorder.begin(job.job) }
            let start = ContinuousClock.now
            let contents = try await renderer.render(job)
            let seconds = start.duration(to: .now) / .seconds(1)
            try await onDisk {
                let outputs = try recorder.write(contents, of: job)
                try recorder.record(
                    WorkOutcome(job: job.job, outputs: outputs, seconds: seconds))
            }
            return .rendered
        } catch let error as AttemptRecorder.Unwritable {
            recorder.drop(job.job)
            tally.fail(.unwritable, error.message)
            return .left
        } catch {
            return failed(job, error, tally)
        }
    }

    /// Runs blocking work on files outside the threads of the Swift runtime.
    private func onDisk(_ body: @Sendable () throws -> Void) async throws {
        try await withTaskExecutorPreference(WaitingThread.executor) { try body() }
    }

    private func failed(_ job: WorkJob, _ error: any Error, _ tally: Tally) -> Result {
        guard !Task.isCancelled else { return .left }
        switch WorkFailure(error, isQuarantined: { isQuarantined(named: $0) }) {
        case .job(let code, let reason, let identifier):
            let outcome = WorkOutcome(
                job: job.job, .failed, code: code, reason: reason,
                extension: digest(of: identifier, in: job))
            return record(outcome, .failed, tally)
        case .quarantined(let reason, let identifier):
            return notTried(job, reason, identifier, tally)
        case .damage(let reason): return damaged(job, reason, tally)
        case .node(let reason):
            recorder.drop(job.job)
            tally.fail(.unsuitableNode, reason)
            return .left
        }
    }

    /// Records that an input is damaged. The failure is attributed to the node until another node finds the same
    /// damage.
    private func damaged(_ job: WorkJob, _ reason: String, _ tally: Tally) -> Result {
        let isConfirmed = history.damage[job.job].map { $0.contains { $0 != node } } ?? false
        let advice = "; run edithost check --read-data 100 on the library's machine"
        let outcome = WorkOutcome(
            job: job.job, isConfirmed ? .failed : .notTried, code: WorkFailure.inputDamaged,
            reason: reason + (isConfirmed ? advice : ""))
        let result = record(outcome, isConfirmed ? .failed : .left, tally)
        if !isConfirmed { tally.fail(.unsuitableNode, reason) }
        return result
    }

    private func notTried(
        _ job: WorkJob, _ reason: String, _ identifier: String?, _ tally: Tally
    ) -> Result {
        let outcome = WorkOutcome(
            job: job.job, .notTried, code: WorkFailure.quarantined, reason: reason,
            extension: digest(of: identifier, in: job))
        return record(outcome, .notTried, tally)
    }

    private func record(_ outcome: WorkOutcome, _ result: Result, _ tally: Tally) -> Result {
        do {
            try recorder.record(outcome)
            return result
        } catch {
            let reason = (error as? AttemptRecorder.Unwritable)?.message ?? "\(error)"
            tally.fail(.unwritable, reason)
            return .left
        }
    }

    private func quarantinedExtension(of job: WorkJob) -> ExtensionBinary? {
        job.steps.compactMap { renderer.binaries[$0.extension] }.first(where: isQuarantined)
    }

    private func isQuarantined(_ binary: ExtensionBinary) -> Bool {
        renderer.host.quarantine.entry(of: binary.digest)?.isQuarantined ?? false
    }

    private func isQuarantined(named identifier: String) -> Bool {
        renderer.binaries.values.contains {
            $0.manifest.identifier == identifier && isQuarantined($0)
        }
    }

    private func digest(of identifier: String?, in job: WorkJob) -> WorkHash? {
        job.steps.map(\.extension).first {
            renderer.binaries[$0]?.manifest.identifier == identifier
        }
    }
}
