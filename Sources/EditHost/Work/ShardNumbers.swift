// SPDX-License-Identifier: Apache-2.0

/// Numbers of shards in the forms that engines use.
package enum ShardNumbers {
    /// Returns the ranges of increasing numbers, separated by commas: `3,9-20`.
    package static func text(_ numbers: [Int]) -> String {
        ranges(numbers).map {
            $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
        }
        .joined(separator: ",")
    }

    /// Returns the ranges of increasing numbers as words that bash and zsh expand: `3 {9..20}`.
    package static func words(_ numbers: [Int]) -> String {
        ranges(numbers).map {
            $0.count == 1 ? "\($0.lowerBound)" : "{\($0.lowerBound)..\($0.upperBound)}"
        }
        .joined(separator: " ")
    }

    private static func ranges(_ numbers: [Int]) -> [ClosedRange<Int>] {
        var ranges: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return ranges
    }
}
