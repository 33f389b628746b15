// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TestSupport
import Testing

@testable import EditHost

@Suite("ordered concurrent work")
final class ConcurrencyTests: Sendable {
    /// The items that a run has started, finished and delivered so far.
    private struct Counts {
        var started = 0
        var finished = 0
        var delivered = 0
        var mostRunning = 0
        var mostUndelivered = 0
    }

    private let counts = Mutex(Counts())

    private func start() {
        counts.withLock {
            $0.started += 1
            $0.mostRunning = max($0.mostRunning, $0.started - $0.finished)
            $0.mostUndelivered = max($0.mostUndelivered, $0.started - $0.delivered)
        }
    }

    @Test("a slow first item bounds the number of pending results", arguments: [1, 2, 5])
    func slowFirst(limit: Int) async throws {
        var order: [Int] = []
        try await forEachOrdered(Array(0..<100), limit: limit) { [self] item in
            start()
            if item == 0 {
                do {
                    try await waitUntil("all that may run beside the first have finished") {
                        counts.withLock { $0.finished } >= (limit == 1 ? 0 : 2 * limit - 1)
                    }
                } catch {
                    Issue.record(error)
                }
                // Gives excess items time to start.
                for _ in 0..<1000 { await Task.yield() }
            }
            counts.withLock { $0.finished += 1 }
            return item
        } deliver: { item in
            counts.withLock { $0.delivered += 1 }
            order.append(item)
        }
        let last = counts.withLock { $0 }
        #expect(order == Array(0..<100))
        #expect(last.mostUndelivered <= 2 * limit && last.mostRunning <= limit)
    }

    @Test("a slow delivery bounds the number of pending results")
    func slowDelivery() async throws {
        try await forEachOrdered(Array(0..<50), limit: 2) { [self] item in
            start()
            counts.withLock { $0.finished += 1 }
            return item
        } deliver: { _ in
            for _ in 0..<100 { await Task.yield() }
            counts.withLock { $0.delivered += 1 }
        }
        #expect(counts.withLock { $0.mostUndelivered } <= 4)
    }

    @Test("after a cancellation, started items are delivered and no others start")
    func cancelled() async throws {
        let task = Task { [self] in
            try await forEachOrdered(Array(0..<100), limit: 3) { [self] item in
                start()
                while !Task.isCancelled { await Task.yield() }
                return item
            } deliver: { _ in
                counts.withLock { $0.delivered += 1 }
            }
        }
        try await waitUntil("three have started") { counts.withLock { $0.started } >= 3 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(counts.withLock { $0.started } == 3 && counts.withLock { $0.delivered } == 3)
    }
}
