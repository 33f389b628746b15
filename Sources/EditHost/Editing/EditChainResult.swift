// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// The result of a change to an asset's edit stack.
public struct EditChainResult: Sendable {
    /// The asset's history after the change.
    public let history: AssetHistory
    /// Whether the edit stack has changed.
    public let hasChanged: Bool
    /// Warnings for the user about the result.
    public let warnings: [String]
}
