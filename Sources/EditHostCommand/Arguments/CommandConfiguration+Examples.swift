// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

extension CommandConfiguration {
    /// A command whose help and manual page end with examples.
    ///
    /// - Parameter examples: command lines, one a line; a comment may follow after ` # `.
    init(
        commandName: String, abstract: String, discussion: String = "", version: String = "",
        examples: String, subcommands: [any ParsableCommand.Type] = []
    ) {
        let lines = ["Examples:"] + examples.split(separator: "\n").map { "  \($0)" }
        let paragraphs = [discussion, lines.joined(separator: "\n")].filter { !$0.isEmpty }
        self.init(
            commandName: commandName, abstract: abstract,
            discussion: paragraphs.joined(separator: "\n\n"), version: version,
            subcommands: subcommands)
    }
}
