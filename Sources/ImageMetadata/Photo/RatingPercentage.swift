// SPDX-License-Identifier: Apache-2.0

/// Star ratings as percentages, as Windows stores them.
enum RatingPercentage {
    /// Returns the percentage of a number of stars.
    static func of(_ stars: Int) -> Int {
        let steps = [0, 1, 25, 50, 75, 99]
        return steps.indices.contains(stars) ? steps[stars] : 0
    }
}
