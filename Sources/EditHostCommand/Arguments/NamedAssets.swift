// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The option for asset identifiers or `--all`.
struct NamedAssets: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Identifiers of photos, or unique prefixes of them; - reads them from "
                + "standard input, the first word of each line.", valueName: "id"),
        completion: .asset)
    var ids: [String] = []

    @Flag(help: "All photos in the library, including hidden ones.")
    var all = false
}
