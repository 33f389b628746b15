// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The option for the one picture that a command writes.
struct OutputFileOption: ParsableArguments {
    @Option(
        name: [.customLong("output"), .customShort("o")],
        help: ArgumentHelp(
            "The file to write; its extension selects the format.", valueName: "file"),
        completion: .file())
    var path: String
}
