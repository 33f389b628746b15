// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// A preset that an extension defines in its manifest as parameter values. The extension converts
/// them to a recipe.
package struct OfferedPreset: Hashable, Sendable {
    /// The identifier of the extension.
    package let extensionIdentifier: String
    /// The version of the extension.
    package let extensionVersion: String
    /// The name and the values, from the manifest.
    package let preset: ParameterPreset
}
