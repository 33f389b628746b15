// SPDX-License-Identifier: Apache-2.0

/// Runs `body` over items, at most `limit` concurrently, and delivers the results in the order of the items as soon as
/// they are available.
///
/// A result holds memory and descriptors until it is delivered. A slow item therefore also delays those after it: at
/// most twice `limit` items are started and not yet delivered.
///
/// When the task is cancelled, no further item is started. The results of items that were started are still delivered.
/// - Throws: Any error of `deliver`; `CancellationError` if some items were not started.
func forEachOrdered<Item: Sendable, Output: Sendable>(
    _ items: [Item], limit: Int, _ body: @escaping @Sendable (Item) async -> Output,
    deliver: (Output) async throws -> Void
) async throws {
    let limit = max(1, limit)
    try await withThrowingTaskGroup(of: (Int, Output).self) { group in
        var (started, delivered) = (0, 0)
        var finished: [Int: Output] = [:]
        func startWhatFits() {
            while started < items.count, started - delivered < 2 * limit,
                started - delivered - finished.count < limit, !Task.isCancelled
            {
                let (index, item) = (started, items[started])
                group.addTask { (index, await body(item)) }
                started += 1
            }
        }
        startWhatFits()
        while let (index, output) = try await group.next() {
            finished[index] = output
            startWhatFits()
            while let output = finished.removeValue(forKey: delivered) {
                try await deliver(output)
                delivered += 1
                startWhatFits()
            }
        }
        if delivered < items.count { throw CancellationError() }
    }
}
