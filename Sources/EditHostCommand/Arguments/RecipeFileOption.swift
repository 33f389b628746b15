// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The option for a file that an edit starts from.
struct RecipeFileOption: ParsableArguments {
    @Option(
        name: .customLong("recipe"),
        help: ArgumentHelp(
            "Start from a file: a JSON object of values, or a recipe written by `edithost "
                + "resources`.",
            valueName: "file"),
        completion: .file())
    var path: String?
}
