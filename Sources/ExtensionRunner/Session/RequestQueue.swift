// SPDX-License-Identifier: Apache-2.0

/// Requests that wait for the worker, in their order.
final class RequestQueue: Sendable {
    private let waiting = Monitor([Incoming]())

    /// Adds one.
    func append(_ request: Incoming) { waiting.access { $0.append(request) } }

    /// Takes the first, waiting for it.
    func next() -> Incoming {
        waiting.wait { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
