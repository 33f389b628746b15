// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The option for files and folders that a search ignores.
struct ExclusionOption: ParsableArguments {
    @Option(
        name: .customLong("exclude"),
        help: ArgumentHelp(
            "Ignore files and folders that match this glob pattern; may be repeated.",
            discussion: """
                The pattern is compared with names and with paths relative to the searched folder. \
                * and ? do not match a slash. A pattern that ends with a slash matches only folders.
                """,
            valueName: "pattern"))
    var patterns: [String] = []

    func validate() throws {
        if patterns.contains("") { throw ValidationError("The pattern of --exclude is empty.") }
        for pattern in patterns {
            let isRelative = !["/", "./", "../"].contains(where: pattern.hasPrefix)
            guard isRelative, !pattern.contains("//") else {
                throw ValidationError(
                    "The pattern \"\(pattern)\" of --exclude matches nothing: patterns are compared with "
                        + "names and with paths relative to the searched folder.")
            }
        }
    }

    /// Reports patterns that matched nothing.
    func report(unused patterns: [String], _ general: GeneralOptions) {
        for pattern in patterns {
            general.output.message("--exclude \"\(pattern.printable)\" matched nothing")
        }
    }
}
