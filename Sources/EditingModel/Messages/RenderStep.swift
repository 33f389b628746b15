// SPDX-License-Identifier: Apache-2.0

/// One edit that is run again from its recipe.
public struct RenderStep: Codable, Hashable, Sendable {
    /// The identifier of the extension, loaded before.
    public var extensionIdentifier: String
    /// The recipe.
    public var adjustmentData: AdjustmentData

    /// Makes a step.
    public init(extensionIdentifier: String, adjustmentData: AdjustmentData) {
        self.extensionIdentifier = extensionIdentifier
        self.adjustmentData = adjustmentData
    }
}
