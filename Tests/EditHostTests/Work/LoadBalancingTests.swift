// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import EditHost

/// The division of jobs into shards by cost.
@Suite("division of jobs into shards")
struct LoadBalancingTests {
    @Test("every job is in one shard, the longest first")
    func complete() {
        let costs = (0..<1000).map { index -> Double in Double(index * 7919 % 101) }
        let parts = LoadBalancing.divide(costs, into: 7)
        #expect(parts.count == 7)
        #expect(parts.flatMap(\.jobs).sorted() == Array(0..<1000))
        for part in parts {
            let own = part.jobs.map { costs[$0] }
            #expect(own == own.sorted(by: >))
            #expect(own.reduce(0, +) == part.cost)
        }
    }

    @Test("the longest shard has at most 1.1 times the mean cost")
    func balance() {
        // One job in fifty is a video that costs as much as 400 photos.
        let costs = (0..<20_000).map { index -> Double in
            index % 50 == 0 ? 100 : 0.05 + Double(index % 13) / 26
        }
        let parts = LoadBalancing.divide(costs, into: 100)
        let limit = costs.reduce(0, +) / 100 * 1.1
        #expect(parts.allSatisfy { $0.cost <= limit })
    }

    @Test("jobs without a cost are distributed evenly")
    func free() {
        let parts = LoadBalancing.divide(Array(repeating: 0, count: 10), into: 4)
        #expect(parts.map(\.jobs.count).sorted() == [2, 2, 3, 3])
    }
}
