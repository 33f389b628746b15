// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

/// Keeps what a host logs.
final class TestLog: LogHandler, Sendable {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    func log(event: LogEvent) { kept.withLock { $0.append("\(event.message)") } }

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
