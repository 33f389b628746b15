// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The lines that an extension and its runners have logged or printed.
final class ValidationLog: Sendable {
    private let kept = Mutex<[String]>([])

    /// The lines so far.
    var lines: [String] { kept.withLock { $0 } }

    func append(_ line: String) { kept.withLock { $0.append(line) } }
}
