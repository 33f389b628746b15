// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// What the sidecars of a stored asset state, in order of precedence.
struct StatedMetadata: Sendable {
    /// The sidecars that will be stored.
    var current: [SidecarFacts] = []
    /// The sidecars stored so far, in the order in which they were added.
    var before: [SidecarFacts] = []
    /// Messages about stored sidecars that cannot be opened.
    var problems: [String] = []
}
