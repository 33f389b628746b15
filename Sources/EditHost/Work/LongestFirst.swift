// SPDX-License-Identifier: Apache-2.0

/// Divides work by cost: the longest item first, each to the part with the least cost so far. The longest part takes at
/// most 4/3 of the time of the best possible division.
enum LongestFirst {
    /// - Returns: The indices of each part, longest first, and the cost of each part.
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
