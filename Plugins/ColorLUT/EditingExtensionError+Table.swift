// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

extension EditingExtensionError {
    /// The error of an unusable file.
    ///
    /// - Parameters:
    ///   - reason: What is wrong, and what to do.
    ///   - line: The number of the line in a text, from 1.
    static func badTable(_ reason: String, line: Int? = nil) -> EditingExtensionError {
        let place = line.map { "line \($0): " } ?? ""
        return EditingExtensionError(code: .badParameter, message: "lut: \(place)\(reason)")
    }
}
