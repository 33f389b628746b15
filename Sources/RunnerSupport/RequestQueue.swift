// SPDX-License-Identifier: Apache-2.0

/// Requests that wait for the worker, in their order.
package final class RequestQueue: Sendable {
    private let waiting = Monitor([Incoming]())

    /// Makes an empty one.
    package init() {}

    /// Adds one.
    package func append(_ request: Incoming) { waiting.access { $0.append(request) } }

    /// Takes the first, waiting for it.
    package func next() -> Incoming {
        waiting.wait { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
