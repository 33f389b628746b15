// SPDX-License-Identifier: Apache-2.0

/// Divides work into parts of similar cost. Items are assigned by decreasing cost, each to the part with the lowest
/// cost so far.
///
/// Finding the best division would take too long. The costliest part of this one costs at most 4/3 of that of the best
/// (R. L. Graham, "Bounds on Multiprocessing Timing Anomalies", 1969).
enum LoadBalancing {
    /// - Returns: The indices of the items in each part, the costliest first, and the cost of each part.
    static func divide(
        _ costs: [Double], into count: Int
    ) -> [(jobs: [Int], cost: Double)] {
        let count = max(1, count)
        var parts = Array(repeating: (jobs: [Int](), cost: 0.0), count: count)
        // A heap of the indices of parts, cheapest first.
        var heap = Array(0..<count)
        func precedes(_ one: Int, _ other: Int) -> Bool {
            (parts[one].cost, parts[one].jobs.count, one)
                < (parts[other].cost, parts[other].jobs.count, other)
        }
        for index in costs.indices.sorted(by: { (costs[$1], $0) < (costs[$0], $1) }) {
            let cheapest = heap[0]
            parts[cheapest].jobs.append(index)
            parts[cheapest].cost += costs[index]
            var place = 0
            while true {
                let children = (2 * place + 1...2 * place + 2).filter { $0 < count }
                guard let next = children.min(by: { precedes(heap[$0], heap[$1]) }),
                    precedes(heap[next], heap[place])
                else { break }
                heap.swapAt(place, next)
                place = next
            }
        }
        return parts
    }
}
