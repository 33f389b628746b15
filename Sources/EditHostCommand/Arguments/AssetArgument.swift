// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The argument of a command on one asset.
struct AssetArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The photo's identifier, or a unique prefix of it.", valueName: "id"),
        completion: .asset)
    var id: String
}
