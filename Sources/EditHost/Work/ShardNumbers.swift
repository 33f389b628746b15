// SPDX-License-Identifier: Apache-2.0

/// Numbers of shards in the form that engines use: `3,9-20`.
package enum ShardNumbers {
    /// Returns the ranges of increasing numbers, separated by commas.
    package static func text(_ numbers: [Int]) -> String {
        var ranges: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return ranges.map {
            $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
        }
        .joined(separator: ",")
    }
}
