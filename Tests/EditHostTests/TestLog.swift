// SPDX-License-Identifier: Apache-2.0

import Glibc
import Logging
import Synchronization
import TestSupport

/// Keeps what a host logs.
final class TestLog: LogHandler, Sendable {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    func log(event: LogEvent) { kept.withLock { $0.append("\(event.message)") } }

    /// Waits for a matching line.
    func wait(for isWanted: (String) -> Bool) async throws {
        try await waitUntil("a line is logged") { lines.contains(where: isWanted) }
    }

    /// The processes of all runners that were started.
    var startedRunners: [pid_t] {
        lines.compactMap { line in
            line.wholeMatch(of: /runner (\d+) started/).flatMap { pid_t($0.1) }
        }
    }

    var metadata: Logger.Metadata {
        get { [:] }
        set { _ = newValue }
    }
    var logLevel: Logger.Level {
        get { .trace }
        set { _ = newValue }
    }
    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set { _ = newValue }
    }
}
