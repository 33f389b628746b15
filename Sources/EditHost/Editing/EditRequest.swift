// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// An edit that a user requests: an extension, its parameters and the recipe to start from.
public struct EditRequest: Sendable {
    /// The extension's identifier, or its last component if that is unique.
    public var extensionName: String
    /// The values of parameters, as text. Parameters without a value keep the value of the recipe.
    public var values: [String: String]
    /// The name of a preset, or nil. Its values apply to parameters that ``values`` does not set.
    public var preset: String?
    /// If true, the edit starts from the default values instead of those of the recipe.
    public var reset: Bool
    /// The position of the edit to reopen in the edit stack, counted from 1; nil means the last one.
    public var step: Int?
    /// If true, the edit is added above the others, even if the extension can continue the last one.
    public var appends = false
    /// If true, only the still of a Live Photo is edited. The motion is hidden until the edit is undone.
    public var stillOnly = false
    /// The recipe to start from. Nil means the recipe of the continued edit, or the default values.
    public var recipe: Recipe?

    /// A recipe from outside the edit stack of the asset.
    public enum Recipe: Sendable {
        /// The path of a file that holds a JSON object of parameter values, or a recipe in the extension's own format.
        case file(String)
        /// The identifier of an asset. The recipe is that of its last edit with the extension.
        case asset(String)
    }

    /// Creates a request.
    public init(
        extensionName: String, values: [String: String] = [:], reset: Bool = false,
        step: Int? = nil, preset: String? = nil
    ) {
        self.extensionName = extensionName
        self.values = values
        self.reset = reset
        self.step = step
        self.preset = preset
    }
}
