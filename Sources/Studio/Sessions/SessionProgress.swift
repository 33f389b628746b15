// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Forwards the progress of an extension to a session. The session is created only after the edit has been opened.
final class SessionProgress: Sendable {
    let handler = Mutex<(@Sendable (Double) -> Void)?>(nil)

    func report(_ fraction: Double) { handler.withLock { $0 }?(fraction) }
}
