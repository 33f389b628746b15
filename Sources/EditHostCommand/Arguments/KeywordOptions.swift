// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel
import Library

/// The options that add and remove keywords.
struct KeywordOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Add a keyword; may be repeated.",
            discussion: "A bar separates the levels of a hierarchy: Places|Europe|Iceland.",
            valueName: "text"))
    var keyword: [String] = []

    @Option(
        help: ArgumentHelp(
            "Remove a keyword; may be repeated.",
            discussion: """
                A keyword in a hierarchy is given with all of its levels, separated by bars or \
                slashes. Iceland does not remove Places|Europe|Iceland.
                """,
            valueName: "text"))
    var removeKeyword: [String] = []

    /// `true` if no option is given.
    var isEmpty: Bool { keyword.isEmpty && removeKeyword.isEmpty }

    func validate() throws {
        if keyword.contains(where: KeywordPath.isBlank) {
            throw ValidationError("The keyword of --keyword is empty.")
        }
    }

    /// Returns the keywords of a photo that end in a keyword to be removed, but are in a hierarchy.
    func nested(among keywords: [String]) -> [String] {
        keywords.filter { text in
            let path = KeywordPath(text)
            return path.isNested && removeKeyword.contains(path.name)
        }
    }

    /// Adds the options to a change request.
    func ask(_ request: AssetChangeRequest) throws {
        for text in removeKeyword { try request.removeKeyword(text) }
        for text in keyword { try request.addKeyword(KeywordPath(text).text) }
    }
}
