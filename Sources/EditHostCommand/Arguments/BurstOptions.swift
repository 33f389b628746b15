// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// What photographs are in their bursts.
struct BurstOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The burst that they belong to, new or old; none: to none.", valueName: "identifier"))
    var burst: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Whether they are listed beside the one that stands for their burst.")
    var burstPick: Bool?

    @Flag(help: "It is this one that stands for its burst.")
    var representsBurst = false

    /// Whether nothing is asked for.
    var isEmpty: Bool { burst == nil && burstPick == nil && !representsBurst }

    /// Asks for it.
    func ask(_ request: AssetChangeRequest) {
        if let burst { request.burstIdentifier = burst == "none" ? nil : burst }
        if let burstPick {
            var types = request.burstSelectionTypes
            if burstPick { types.insert(.userPick) } else { types.remove(.userPick) }
            request.burstSelectionTypes = types
        }
        if representsBurst { request.representsBurst = true }
    }
}
