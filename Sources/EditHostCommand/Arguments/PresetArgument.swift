// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Library

/// The preset argument of the subcommands.
struct PresetArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The name of the preset; show and export also accept a preset file.",
            valueName: "name"))
    var name: String
}
