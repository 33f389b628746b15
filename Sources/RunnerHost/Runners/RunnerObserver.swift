// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol

/// Observes a runner during an edit. Called on the thread that listens to the runner, which must not be blocked.
package protocol RunnerObserver: Sendable {
    /// The extension has reported that it completed this fraction of its work. The value is untrusted.
    func runner(_ runner: RunnerProcess, didProgressTo fraction: Double)
    /// The extension waits for its input, which is decoded lazily. Runners may call this at any time.
    func runnerNeedsInput(_ runner: RunnerProcess)
    /// The extension waits for its placeholder, which is decoded lazily. Runners may call this at any time.
    func runnerNeedsPlaceholder(_ runner: RunnerProcess)
    /// The extension waits for its video. Runners may call this at any time, with any values.
    ///
    /// - Returns: False if an earlier request has not been answered yet. The new request then violates the protocol.
    func runner(_ runner: RunnerProcess, requests video: InputVideoRequest) -> Bool
}
