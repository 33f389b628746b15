// SPDX-License-Identifier: Apache-2.0

/// A FIFO queue of requests for the worker. Thread-safe.
package final class RequestQueue: Sendable {
    private let waiting = LockedValue([ReceivedRequest]())

    /// Creates an empty queue.
    package init() {}

    /// Adds a request at the end.
    package func append(_ request: ReceivedRequest) { waiting.access { $0.append(request) } }

    /// Removes and returns the first request. Waits if the queue is empty.
    package func next() -> ReceivedRequest {
        waiting.wait { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
