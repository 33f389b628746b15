// SPDX-License-Identifier: Apache-2.0

import Library
import RunnerProtocol

/// A rendition that a re-render keeps up to date, and how it is rendered.
struct RenditionTarget: Sendable {
    /// The edit whose result it is.
    let edit: Edit
    /// The edits up to this one, in their order.
    let chain: [Edit]
    /// The stored rendition; `nil` if there is none.
    let stored: Rendition?
    let plan: StatePlan
    let settings: EncodeSettings
}
