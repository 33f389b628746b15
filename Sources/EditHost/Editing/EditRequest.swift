// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// What a user wants done to a photograph.
public struct EditRequest: Sendable {
    /// The extension's identifier, or the unique last part of one.
    public var extensionName: String
    /// Values of parameters, as text; those not named keep the recipe's values.
    public var values: [String: String]
    /// Start from the default values instead of the recipe's.
    public var reset: Bool
    /// The edit of the chain to reopen, counted from 1; nil: the last one.
    public var step: Int?

    /// Makes a request.
    public init(
        extensionName: String, values: [String: String] = [:], reset: Bool = false,
        step: Int? = nil
    ) {
        self.extensionName = extensionName
        self.values = values
        self.reset = reset
        self.step = step
    }
}
