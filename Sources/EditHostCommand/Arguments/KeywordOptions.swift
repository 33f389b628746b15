// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// Which keywords photographs get and lose.
struct KeywordOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Add a keyword; may be repeated.", valueName: "text"))
    var keyword: [String] = []

    @Option(help: ArgumentHelp("Remove a keyword; may be repeated.", valueName: "text"))
    var removeKeyword: [String] = []

    /// Whether nothing is asked for.
    var isEmpty: Bool { keyword.isEmpty && removeKeyword.isEmpty }

    /// Asks for it.
    func ask(_ request: AssetChangeRequest) throws {
        for text in removeKeyword { try request.removeKeyword(text) }
        for text in keyword { try request.addKeyword(text) }
    }
}
