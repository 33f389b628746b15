// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

extension EditingExtensionError {
    /// Returns the error for an unusable file.
    ///
    /// - Parameters:
    ///   - reason: What is wrong, and what the user can do about it.
    ///   - line: The number of the line in a text, starting at 1.
    static func badTable(_ reason: String, line: Int? = nil) -> EditingExtensionError {
        let place = line.map { "line \($0): " } ?? ""
        return EditingExtensionError(code: .badParameter, message: "lut: \(place)\(reason)")
    }
}
