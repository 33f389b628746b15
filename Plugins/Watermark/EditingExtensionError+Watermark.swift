// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

extension EditingExtensionError {
    /// Returns the error for an unusable value.
    ///
    /// - Parameters:
    ///   - name: The name of the parameter.
    ///   - reason: What is wrong, and what the user can do about it.
    static func bad(_ name: String, _ reason: String) -> EditingExtensionError {
        EditingExtensionError(code: .badParameter, message: "\(name) \(reason)")
    }
}
