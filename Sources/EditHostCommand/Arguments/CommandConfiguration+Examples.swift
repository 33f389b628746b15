// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

extension CommandConfiguration {
    /// Creates the configuration of a command whose help and manual page end with examples.
    ///
    /// - Parameter examples: One command line per line, with an optional comment after ` # `.
    init(
        commandName: String, abstract: String, discussion: String = "", version: String = "",
        examples: String, subcommands: [any ParsableCommand.Type] = [],
        defaultSubcommand: (any ParsableCommand.Type)? = nil
    ) {
        let lines = ["Examples:"] + examples.split(separator: "\n").map { "  \($0)" }
        let paragraphs = [discussion, lines.joined(separator: "\n")].filter { !$0.isEmpty }
        self.init(
            commandName: commandName, abstract: abstract,
            discussion: paragraphs.joined(separator: "\n\n"), version: version,
            subcommands: subcommands, defaultSubcommand: defaultSubcommand)
    }
}
