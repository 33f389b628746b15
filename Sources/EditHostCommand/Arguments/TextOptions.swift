// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel
import Library

/// The options that set texts and the rating.
struct TextOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Set the title; an empty one removes it.", valueName: "text"))
    var title: String?

    @Option(
        help: ArgumentHelp(
            "Set the description; an empty one removes it.", valueName: "text"))
    var description: String?

    @Option(
        help: ArgumentHelp(
            "Set the creator; an empty one removes it.",
            discussion: "Several names are separated by semicolons.", valueName: "text"))
    var creator: String?

    @Option(
        help: ArgumentHelp(
            "Set the copyright notice; an empty one removes it.", valueName: "text"))
    var copyright: String?

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
    var isEmpty: Bool {
        let texts = [title, description, creator, copyright, label]
        return texts.allSatisfy { $0 == nil } && rating == nil
    }

    func validate() throws {
        let lines = [
            ("title", title, PhotoMetadata.text), ("creator", creator, PhotoMetadata.creator),
            ("copyright", copyright, PhotoMetadata.text), ("label", label, PhotoMetadata.text),
        ]
        for (name, text, normalize) in lines {
            guard let text, !text.isEmpty, normalize(text) == nil else { continue }
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
        if let creator { request.creator = PhotoMetadata.creator(creator) }
        if let copyright { request.copyright = PhotoMetadata.text(copyright) }
        if let label { request.label = PhotoMetadata.text(label) }
        if let rating { request.rating = rating.value }
    }
}
