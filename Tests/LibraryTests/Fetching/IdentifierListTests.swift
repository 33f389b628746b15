// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Library

@Suite("identifier lists")
struct IdentifierListTests {
    @Test("a list behaves like an array, and copies are independent", arguments: 0..<20)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var next: Int64 = 1
        var array: [Int64] = (0..<Int.random(in: 0...5000, using: &random)).map { _ in
            next += Int64.random(in: 1...3, using: &random)
            return next
        }.shuffled(using: &random)
        var list = IdentifierList(array)
        let (first, firstArray) = (list, array)
        for _ in 0..<3000 {
            let position = Int.random(in: 0...array.count, using: &random)
            if Bool.random(using: &random), position < array.count {
                #expect(list.remove(at: position) == array.remove(at: position))
            } else {
                next += 1
                // Every second seed inserts in one place, so that chunks are split.
                let place = seed % 2 == 0 ? array.count / 2 : position
                list.insert(next, at: place)
                array.insert(next, at: place)
            }
        }
        #expect(Array(list) == array && list.count == array.count)
        for _ in 0..<200 where !array.isEmpty {
            let position = Int.random(in: array.indices, using: &random)
            #expect(list[position] == array[position])
            #expect(list.index(of: array[position]) == position)
            let end = Int.random(in: position...array.count, using: &random)
            #expect(list[position..<end] == Array(array[position..<end]))
        }
        #expect(list.index(of: next + 1) == nil && list.index(of: 0) == nil)
        #expect(Array(first) == firstArray)
        #expect(firstArray.indices.allSatisfy { first.index(of: firstArray[$0]) == $0 })
    }

    @Test("a list can be emptied and refilled")
    func emptying() {
        var list = IdentifierList((1...3000).map(Int64.init))
        while list.count > 0 { list.remove(at: list.count / 2) }
        #expect(Array(list).isEmpty && !list.contains(1))
        for id in 1...10 { list.insert(Int64(id), at: 0) }
        #expect(Array(list) == (1...10).reversed().map(Int64.init))
    }

    @Test(
        "F-13 an identifier takes at most 16 bytes, however sparse the list",
        arguments: [(100_000, 1), (100_000, 10), (10_000, 1000), (20_000, 100_000)])
    func storage(count: Int, distance: Int64) {
        var random = SeededGenerator(seed: 13)
        let numbers = (1...Int64(count)).map { $0 * distance }
        for order in [numbers, numbers.shuffled(using: &random)] {
            var list = IdentifierList(order)
            #expect(list.byteCount <= 8 * count, "\(list.byteCount / count) bytes")
            #expect(list.index(of: order[count / 2]) == count / 2)
            #expect(list.byteCount <= 16 * count, "\(list.byteCount / count) bytes")
            // Copies share unchanged parts.
            let copy = list
            list.remove(at: 0)
            #expect(copy.index(of: order[0]) == 0 && list.index(of: order[0]) == nil)
            #expect(copy.index(of: order[1]) == 1 && list.index(of: order[1]) == 0)
            #expect(list.byteCount <= 17 * count)
        }
    }

    @Test("extreme numbers are kept at no extra cost")
    func extremes() {
        let numbers: [Int64] = [
            .max, 5, .min, 0, -1, 1 << 32, (1 << 32) - 1, 1 << 62, -(1 << 40), 7,
        ]
        var list = IdentifierList(numbers)
        for (position, number) in numbers.enumerated() {
            #expect(list[position] == number && list.index(of: number) == position)
        }
        #expect(list.index(of: 6) == nil && list.index(of: .max - 1) == nil)
        list.insert(.max - 1, at: 3)
        #expect(list.remove(at: 0) == .max)
        #expect(list.index(of: .max) == nil && list.index(of: .max - 1) == 2)
        var expected = numbers
        expected.insert(.max - 1, at: 3)
        expected.removeFirst()
        #expect(Array(list) == expected)
        #expect(list.byteCount < 2000)
    }
}
