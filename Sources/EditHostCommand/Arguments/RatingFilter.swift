// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// A condition for ratings.
struct RatingFilter: ExpressibleByArgument {
    let test: AssetPredicate.ValueTest<Int>

    /// Parses a rating like ``RatingArgument``, or a range of stars: `4..`, `..2`, `2..4`.
    init?(argument: String) {
        guard let dots = argument.firstRange(of: "..") else {
            guard let rating = RatingArgument(argument: argument) else { return nil }
            test = rating.value.map { .equal($0) } ?? .missing
            return
        }
        let ends = [argument[..<dots.lowerBound], argument[dots.upperBound...]]
        let stars = ends.map { $0.utf8.count == 1 ? Int($0) : nil }
        for (end, number) in zip(ends, stars) where !end.isEmpty {
            guard let number, (0...5).contains(number) else { return nil }
        }
        switch (stars[0], stars[1]) {
        case (let low?, let high?) where low <= high: test = .between(low, high)
        case (let low?, nil) where ends[1].isEmpty: test = .atLeast(low)
        case (nil, let high?) where ends[0].isEmpty: test = .between(0, high)
        default: return nil
        }
    }
}
