// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The assets that a command names, or all of them.
struct NamedAssets: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The assets' identifiers, or unique beginnings of them; -: those on standard input, the first "
                + "word of each line.", valueName: "id"),
        completion: .asset)
    var ids: [String] = []

    @Flag(help: "All assets of the library.")
    var all = false
}
