// SPDX-License-Identifier: Apache-2.0

import EditHost
import JSONOutput

/// The number of checks with each outcome.
struct ValidationTally {
    private var counts: [String: Int] = [:]
    private(set) var hasFailures = false

    mutating func add(_ result: ValidationResult) {
        counts[result.outcome.name, default: 0] += 1
        hasFailures = hasFailures || result.outcome.isFailure
    }

    private func count(_ name: String) -> Int { counts[name] ?? 0 }

    var row: JSONRow {
        [
            "passed": count("passed"), "warnings": count("warning"), "failed": count("failed"),
            "crashed": count("crashed"), "skipped": count("skipped"),
        ]
    }

    /// A summary in words.
    var words: String {
        let parts = [
            "\(count("passed")) passed",
            count("warning") > 0 ? count("warning").counted("warning") : nil,
            count("failed") > 0 ? "\(count("failed")) failed" : nil,
            count("crashed") > 0 ? "\(count("crashed")) crashed" : nil,
            count("skipped") > 0 ? "\(count("skipped")) skipped" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}
