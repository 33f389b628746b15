// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// What the sidecars of a stored asset state, in order of precedence.
struct SidecarMetadata: Sendable {
    /// The sidecars that will be stored.
    var current: [SidecarFacts] = []
    /// The sidecars stored so far, in the order in which they were added.
    var before: [SidecarFacts] = []
    /// Whether the photo is a favourite according to the sidecars that will be stored; nil if none states it.
    var isFavorite: Bool?
    /// Whether the photo was a favourite according to the sidecars stored so far; nil if none stated it.
    var wasFavorite: Bool?
    /// Messages about stored sidecars that cannot be opened.
    var problems: [String] = []

    /// Returns whether to mark or unmark an asset as a favourite; nil if the sidecars state what they stated before, or
    /// the user has changed the mark since.
    func favorite(of asset: Asset) -> Bool? {
        guard problems.isEmpty, let now = isFavorite else { return nil }
        let old = wasFavorite ?? false
        return now != old && asset.isFavorite == old ? now : nil
    }
}
