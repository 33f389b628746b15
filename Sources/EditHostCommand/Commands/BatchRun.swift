// SPDX-License-Identifier: Apache-2.0

import EditHost
import JSONOutput
import Synchronization

/// The run of a command on several items: progress, cancellation by signals, a tally and the exit status.
final class BatchRun: Sendable {
    private struct Tally {
        var finishedCount = 0
        var keptCount = 0
        var failures: [any Error] = []
        var isCutShort = false
    }

    let output: CommandOutput
    let interruption: Interruption
    private let general: GeneralOptions
    private let cancellation: EditCancellation?
    private let limits: LimitOptions?
    private let verb: String?
    private let participle: String?
    private let tally = Mutex(Tally())

    /// - Parameters:
    ///   - verb: The verb for the progress line, for example `rendering`; `nil` shows no progress.
    ///   - participle: The verb for items that are kept after a cancellation; `nil` if all or none are.
    ///   - cancellation: The cancellation of edits, whose extensions can request a confirmation.
    ///   - limits: The limits of rendering; `nil` for none.
    init(
        _ general: GeneralOptions, _ verb: String? = nil, kept participle: String? = nil,
        cancelling cancellation: EditCancellation? = nil, limits: LimitOptions? = nil
    ) {
        self.limits = limits
        (self.general, self.verb, self.participle) = (general, verb, participle)
        self.cancellation = cancellation
        output = general.output
        interruption = Interruption(cancelling: cancellation)
    }

    /// Runs the work with a host.
    ///
    /// - Parameters:
    ///   - count: The number of items; `nil` if it is not known yet.
    ///   - jobs: The number of items to process in parallel; `nil` for one per processor.
    func run<Value: Sendable>(
        on count: Int?, jobs: Int? = nil,
        _ work: @escaping @Sendable (ExtensionHost) async throws -> Value
    ) async throws -> Value {
        if let verb { output.progress.begin(verb, of: count) }
        defer { output.progress.end() }
        limits?.lowerPriority()
        do {
            let jobs = count.map { JobsOption.jobs(jobs, for: $0) } ?? jobs
            let value = try await general.withHost(
                jobs: jobs, memory: limits?.memory?.bytes, interruption: interruption, work)
            if tally.withLock(\.isCutShort) { throw CancellationError() }
            return value
        } catch is CancellationError {
            let left = output.progress.left.map { ", \($0) left" } ?? ""
            let kept = participle.map { "\(keptCount) \($0) and kept\(left)" }
            throw CommandEnd(
                status: .interrupted, message: "cancelled; \(kept ?? "nothing was changed")")
        }
    }

    /// The number of finished items that have changed or were written.
    var keptCount: Int { tally.withLock(\.keptCount) }

    var failureCount: Int { tally.withLock(\.failures.count) }

    /// `true` if no item has been counted.
    var isEmpty: Bool { tally.withLock { $0.finishedCount == 0 } }

    /// Counts a finished item.
    func finish(_ item: String, isKept: Bool = true) {
        tally.withLock { tally in
            tally.finishedCount += 1
            if isKept { tally.keptCount += 1 }
        }
        output.progress.advance(past: item)
    }

    /// Counts finished items that have not changed.
    func finish(unchanged count: Int) {
        tally.withLock { $0.finishedCount += count }
        output.progress.advance(by: count)
    }

    /// Counts and prints a failed item. An item that was stopped by a cancellation has not failed.
    ///
    /// - Parameters:
    ///   - counted: The error that determines the exit status, if it is not `error`.
    ///   - row: The row of the item. The code of the error is added to it.
    /// - Returns: Whether the item has failed.
    @discardableResult
    func fail(
        _ item: String, _ error: any Error, counted: (any Error)? = nil,
        _ row: @autoclosure () -> JSONRow
    ) throws -> Bool {
        let isStopped = ExitStatus(error) == .interrupted || cancellation?.isCancelled ?? false
        if isStopped || Task.isCancelled {
            tally.withLock { $0.isCutShort = true }
            return false
        }
        tally.withLock { tally in
            tally.finishedCount += 1
            tally.failures.append(counted ?? error)
        }
        try output.printJSON(row().adding(["errorCode": ExitStatus.code(for: error)]))
        output.failure(error, of: item)
        output.progress.advance(past: item)
        return true
    }

    /// Ends the command with the status of the failures; returns if there are none.
    func end() throws {
        let status = tally.withLock { ExitStatus(failures: $0.failures, of: $0.finishedCount) }
        if status != .done { throw CommandEnd(status: status) }
    }
}
