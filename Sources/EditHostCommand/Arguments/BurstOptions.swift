// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The options that change the burst membership of photos.
struct BurstOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Assign to this burst, new or existing; none removes it from its burst.",
            valueName: "identifier"))
    var burst: String?

    @Flag(
        inversion: .prefixedNo,
        help: "List the photo in addition to the one that represents its burst, or stop doing so.")
    var burstPick: Bool?

    @Flag(help: "Make this photo represent its burst.")
    var representsBurst = false

    /// `true` if no option is given.
    var isEmpty: Bool { burst == nil && burstPick == nil && !representsBurst }

    /// Adds the options to a change request.
    func ask(_ request: AssetChangeRequest, in library: PhotoLibrary) throws {
        if let burst { request.burstIdentifier = burst == "none" ? nil : burst }
        if let burstPick {
            let asset = try library.asset(withLocalIdentifier: request.assetIdentifier)
            var types = asset.burstSelectionTypes
            if burstPick { types.insert(.userPick) } else { types.remove(.userPick) }
            request.burstSelectionTypes = types
        }
        if representsBurst { request.representsBurst = true }
    }
}
