// SPDX-License-Identifier: Apache-2.0

/// Runs `body` over items, at most `limit` at once, and hands on the results in the items' order
/// as soon as they are there.
///
/// When the task is cancelled, no further item is begun; the results of those that were begun
/// are handed on still.
/// - Throws: what `deliver` throws; `CancellationError` where items were left out.
func forEachOrdered<Item: Sendable, Output: Sendable>(
    _ items: [Item], limit: Int, _ body: @escaping @Sendable (Item) async -> Output,
    deliver: (Output) async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: (Int, Output).self) { group in
        var next = 0
        func add() {
            guard next < items.count, !Task.isCancelled else { return }
            let (index, item) = (next, items[next])
            group.addTask { (index, await body(item)) }
            next += 1
        }
        for _ in 0..<max(1, limit) { add() }
        var finished: [Int: Output] = [:]
        var delivered = 0
        while let (index, output) = try await group.next() {
            finished[index] = output
            add()
            while let output = finished.removeValue(forKey: delivered) {
                try await deliver(output)
                delivered += 1
            }
        }
        if delivered < items.count { throw CancellationError() }
    }
}
