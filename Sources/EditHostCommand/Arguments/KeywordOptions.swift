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

    @Option(help: ArgumentHelp("Remove a keyword; may be repeated.", valueName: "text"))
    var removeKeyword: [String] = []

    /// `true` if no option is given.
    var isEmpty: Bool { keyword.isEmpty && removeKeyword.isEmpty }

    /// Adds the options to a change request.
    func ask(_ request: AssetChangeRequest) throws {
        for text in removeKeyword { try request.removeKeyword(text) }
        for text in keyword { try request.addKeyword(KeywordPath(text).text) }
    }
}
