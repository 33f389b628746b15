// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// An edit that is re-rendered from its recipe.
package struct RenderStep: Codable, Hashable, Sendable {
    /// The identifier of an extension that is already loaded.
    package var extensionIdentifier: String
    /// The recipe of the edit.
    package var adjustmentData: AdjustmentData

    /// Creates a step from an extension and a recipe.
    package init(extensionIdentifier: String, adjustmentData: AdjustmentData) {
        self.extensionIdentifier = extensionIdentifier
        self.adjustmentData = adjustmentData
    }
}
