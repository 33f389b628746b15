// SPDX-License-Identifier: Apache-2.0

import EditHost
import Glibc
import Library
import Synchronization

/// Counts and prints the results of rendering.
final class RerenderTally: Sendable {
    private struct Counts {
        var byStatus: [RerenderResult.Status: Int] = [:]
        var failures: [any Error] = []
        var isCutShort = false
        var all: Int { byStatus.values.reduce(0, +) }
    }

    private let counts = Mutex(Counts())
    private let output: CommandOutput
    private let isExplaining: Bool
    private let isDryRun: Bool

    init(output: CommandOutput, isExplaining: Bool, isDryRun: Bool) {
        self.output = output
        self.isExplaining = isExplaining
        self.isDryRun = isDryRun
    }

    func add(_ result: RerenderResult) throws {
        // A photograph whose runner was stopped by cancellation has not failed.
        if result.status == .failed, Task.isCancelled {
            return counts.withLock { $0.isCutShort = true }
        }
        counts.withLock { counts in
            counts.byStatus[result.status, default: 0] += 1
            if let error = result.error { counts.failures.append(error) }
        }
        try output.printJSON([
            "id": result.assetIdentifier, "status": result.status.rawValue, "reason": result.reason,
        ])
        if let error = result.error {
            output.failure(error, of: result.assetIdentifier)
        } else if isExplaining || result.status != .upToDate {
            try output.printText([line(result)])
        }
        output.progress.advance(past: result.assetIdentifier)
    }

    /// Counts up-to-date photographs, for which nothing is printed.
    func add(upToDate count: Int) {
        counts.withLock { $0.byStatus[.upToDate, default: 0] += count }
        output.progress.advance(by: count)
    }

    private func line(_ result: RerenderResult) -> String {
        let words: String =
            switch result.status {
            case .rendered: "rendered"
            case .stale: "would be rendered"
            case .upToDate: "up to date"
            case .failed: "failed"
            }
        let reason = isExplaining || isDryRun ? ": \(result.reason)" : ""
        return "\(ShortIdentifier.of(result.assetIdentifier))  \(words)\(reason)"
    }

    /// The error after cancellation by the user.
    var cancelled: CommandEnd {
        let rendered = counts.withLock { $0.byStatus[.rendered, default: 0] }
        return .cancelled(rendered, "rendered", output.progress)
    }

    func end() throws {
        let counts = counts.withLock { $0 }
        if counts.isCutShort { throw cancelled }
        // A dry run counts what would be rendered.
        let rendered = counts.byStatus[isDryRun ? .stale : .rendered, default: 0]
        let upToDate = counts.byStatus[.upToDate, default: 0]
        let failed = counts.byStatus[.failed, default: 0]
        try output.print(
            [
                "rendered": rendered, "upToDate": upToDate, "failed": failed,
            ],
            "\(rendered) \(isDryRun ? "to render" : "rendered"), \(upToDate) up to date, "
                + "\(failed) failed")
        let status = ExitStatus(failures: counts.failures, of: counts.all)
        if status != .done { throw CommandEnd(status: status) }
    }
}
