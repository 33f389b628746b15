// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The options that select the author of a preset.
struct PresetAuthor: ParsableArguments {
    @Option(
        name: .customLong("with"),
        help: ArgumentHelp(
            "The extension whose preset to use (default: your own preset of this name, if "
                + "there is one).",
            valueName: "extension"),
        completion: .installedExtension)
    var extensionName: String?
}
