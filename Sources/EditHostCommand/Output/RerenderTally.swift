// SPDX-License-Identifier: Apache-2.0

import EditHost
import Glibc
import JSONOutput
import Library
import Synchronization

/// Counts and prints the results of rendering.
final class RerenderTally: Sendable {
    private let counts = Mutex<[RerenderResult.Status: Int]>([:])
    private let batch: BatchRun
    private let isExplaining: Bool
    private let isDryRun: Bool
    private var output: CommandOutput { batch.output }

    init(_ batch: BatchRun, isExplaining: Bool, isDryRun: Bool) {
        self.batch = batch
        self.isExplaining = isExplaining
        self.isDryRun = isDryRun
    }

    func add(_ result: RerenderResult) throws {
        let (identifier, status) = (result.assetIdentifier, result.status)
        let row: JSONRow = ["id": identifier, "status": status.rawValue, "reason": result.reason]
        if let error = result.error {
            try batch.fail(identifier, error, row)
            return
        }
        counts.withLock { $0[status, default: 0] += 1 }
        try output.printJSON(row)
        if isExplaining || status != .upToDate { try output.printText([line(result)]) }
        batch.finish(identifier, isKept: status == .rendered)
    }

    /// Counts up-to-date photos, for which nothing is printed.
    func add(upToDate count: Int) {
        counts.withLock { $0[.upToDate, default: 0] += count }
        batch.finish(unchanged: count)
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

    func end() throws {
        let counts = counts.withLock { $0 }
        // A dry run counts what would be rendered.
        let rendered = counts[isDryRun ? .stale : .rendered, default: 0]
        let upToDate = counts[.upToDate, default: 0]
        try output.print(
            ["rendered": rendered, "upToDate": upToDate, "failed": batch.failureCount],
            "\(rendered) \(isDryRun ? "to render" : "rendered"), \(upToDate) up to date, "
                + "\(batch.failureCount) failed")
        try batch.end()
    }
}
