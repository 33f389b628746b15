// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A rating, or `none`.
struct RatingArgument: ExpressibleByArgument {
    /// The rating; `nil` for `none`.
    let value: Int?

    /// Parses `0` to `5`, `rejected` or `none`.
    init?(argument: String) {
        switch argument {
        case "none": value = nil
        case "rejected", "-1": value = -1
        default:
            guard argument.utf8.count == 1, let stars = Int(argument), (0...5).contains(stars)
            else { return nil }
            value = stars
        }
    }

    /// The ratings, for help and completion.
    static var allValueStrings: [String] { (0...5).map(String.init) + ["rejected", "none"] }
}
