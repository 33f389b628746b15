// SPDX-License-Identifier: Apache-2.0

import Library

/// The stale renditions of an asset and the reasons, as `rerender` carries them out and `work plan` stores them.
struct StaleAsset: Sendable {
    let history: AssetHistory
    /// The renditions in the order in which they are rendered: bases before the renditions above them. Empty if the
    /// asset is up to date.
    var renditions: [StaleRendition] = []
    /// The reason why nothing is rendered, if ``renditions`` is empty.
    var reasonForNone = "nothing has changed"

    /// The reasons of all renditions in one text.
    var reason: String {
        renditions.isEmpty
            ? reasonForNone : renditions.flatMap(\.reasons).joined(separator: "; ")
    }
}
