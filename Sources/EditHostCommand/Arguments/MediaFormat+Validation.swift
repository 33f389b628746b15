// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel

extension MediaFormat {
    /// Validates that pictures of the format of an option can be written.
    ///
    /// - Throws: `ValidationError` with the formats that can be.
    func validateWritten() throws {
        guard !isWritten else { return }
        throw ValidationError(
            "\(displayName) files cannot be written; use --format with one of "
                + Self.writtenNames.joined(separator: ", ") + ".")
    }
}
