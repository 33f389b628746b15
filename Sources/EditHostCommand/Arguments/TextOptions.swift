// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel
import Library

/// The options that set title, description, label and rating.
struct TextOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Set the title; an empty one removes it.", valueName: "text"))
    var title: String?

    @Option(
        help: ArgumentHelp(
            "Set the description; an empty one removes it.", valueName: "text"))
    var description: String?

    @Option(
        help: ArgumentHelp(
            "Set the label, a colour or word such as Red; an empty one removes it.",
            valueName: "text"))
    var label: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Set the rating: 0 to 5 stars or rejected; none removes it.", valueName: "stars"))
    var rating: RatingArgument?

    /// `true` if no option is given.
    var isEmpty: Bool { title == nil && description == nil && label == nil && rating == nil }

    func validate() throws {
        for (name, text) in [("title", title), ("label", label)] {
            guard let text, !text.isEmpty, PhotoMetadata.text(text) == nil else { continue }
            throw ValidationError(
                "The \(name) must be one line of 1 to \(PhotoMetadata.maximumTextLength) "
                    + "bytes, not only white space; an empty one removes it.")
        }
        if let description, !description.isEmpty, PhotoMetadata.description(description) == nil {
            throw ValidationError(
                "The description must have 1 to \(PhotoMetadata.maximumDescriptionLength) "
                    + "bytes; an empty one removes it."
            )
        }
    }

    /// Adds the options to a change request.
    func ask(_ request: AssetChangeRequest) {
        if let title { request.title = PhotoMetadata.text(title) }
        if let description { request.descriptionText = PhotoMetadata.description(description) }
        if let label { request.label = PhotoMetadata.text(label) }
        if let rating { request.rating = rating.value }
    }
}

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
