// SPDX-License-Identifier: Apache-2.0

/// Star ratings as percentages, as Windows stores them.
enum RatingPercentage {
    /// Returns the percentage of a number of stars.
    static func of(_ stars: Int) -> Int {
        let steps = [0, 1, 25, 50, 75, 99]
        return steps.indices.contains(stars) ? steps[stars] : 0
    }

    /// Returns the number of stars of a percentage; `nil` if it is out of range. Other programs also write percentages
    /// between those of Windows.
    static func stars(of percentage: Int) -> Int? {
        switch percentage {
        case 0: 0
        case 1...12: 1
        case 13...37: 2
        case 38...62: 3
        case 63...87: 4
        case 88...100: 5
        default: nil
        }
    }
}
