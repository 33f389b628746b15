// SPDX-License-Identifier: Apache-2.0

import Glibc
import RunnerProtocol
import Synchronization
import Vips

/// A flag that cancels the work in flight. It is set once and never reset: later work gets a new flag.
final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .acquiring) }

    /// Cancels the work. Idempotent.
    func set() { flag.store(true, ordering: .releasing) }
}
