// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// A rendition that must be rendered, with everything that rendering it needs.
struct StaleRendition: Sendable {
    /// The place of a rendition in an asset.
    enum Place: Hashable, Sendable {
        /// The lossless result of an edit.
        case base(edit: String)
        /// The current version.
        case current
        /// The current version of a Live Photo's video.
        case motion
    }

    let place: Place
    /// The edit whose result it is.
    let edit: Edit
    /// The applied edits of the plan's steps, in their order.
    let stepEdits: [Edit]
    let plan: StatePlan
    let settings: EncodeSettings
    let ingredients: RenditionIngredients
    /// The key of ``ingredients``.
    let key: SHA256Digest
    /// The reasons why it is stale. Empty if it may have to be rendered only because of the rendition at ``lower``.
    let reasons: [String]
    /// The index of the stale base that the plan starts from, in the asset's list; `nil` if the plan starts from a file
    /// that is not rendered.
    let lower: Int?

    var kind: Rendition.Kind {
        if case .base = place { .base } else { .current }
    }
}
