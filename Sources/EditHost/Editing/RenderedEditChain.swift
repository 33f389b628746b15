// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// A rendered edit stack, to be committed to an asset.
struct RenderedEditChain: Sendable {
    let history: AssetHistory
    /// The new edit stack, or nil if the asset has these edits already.
    var chain: NewEditChain?
    /// Warnings for the user.
    var warnings: [String] = []
}
