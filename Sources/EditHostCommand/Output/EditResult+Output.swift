// SPDX-License-Identifier: Apache-2.0

import EditHost
import JSONOutput

extension EditResult {
    /// Prints the outcome of edits of one photo.
    func print(to output: CommandOutput) throws {
        guard let extensionIdentifier else {
            return try output.print(self, unchanged: "already has these edits")
        }
        try output.print(
            JSONRow(
                editsOf: assetIdentifier, history: history, status: status.rawValue,
                extension: extensionIdentifier, input: input, edit: editIdentifier,
                rendition: rendition, warnings: warnings),
            "\(ShortIdentifier.of(assetIdentifier))  "
                + (hasChanged
                    ? "\(extensionIdentifier) \(isUpdate ? "updated" : "added")"
                    : "unchanged by \(extensionIdentifier)"))
        output.warn(warnings, about: assetIdentifier)
    }
}
