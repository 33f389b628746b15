// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The photographs of a command that changes their metadata in one transaction.
struct ChangedAssets: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Identifiers of photos, or unique prefixes of them; - reads them from "
                + "standard input, the first word of each line.", valueName: "id"),
        completion: .asset)
    var ids: [String]

    /// The given asset names, including those on standard input.
    ///
    /// Read them before opening the library: the program that writes them may have the library open.
    var names: [String] {
        get throws { try StandardInput.filling(ids) }
    }
}
