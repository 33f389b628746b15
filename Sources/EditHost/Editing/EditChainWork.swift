// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// A function that renders the new edit stack of the asset with an identifier.
struct EditChainWork: Sendable {
    let render: @Sendable (String) async throws -> RenderedEditChain
}
