// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

extension EditingExtensionError {
    /// The error of an unusable value.
    ///
    /// - Parameters:
    ///   - name: The parameter.
    ///   - reason: What is wrong, and what to do.
    static func bad(_ name: String, _ reason: String) -> EditingExtensionError {
        EditingExtensionError(code: .badParameter, message: "\(name) \(reason)")
    }
}
