// SPDX-License-Identifier: Apache-2.0

import EditHost
import Library

extension EditResult: EditOutcome {
    var hasChanged: Bool { status == .committed }

    func print(to output: CommandOutput, in library: PhotoLibrary) throws {
        // Another process may have deleted the photograph since.
        try output.print(
            JSONRow(
                editsOf: assetIdentifier, history: try? library.history(ofAsset: assetIdentifier),
                status: status.rawValue, extension: extensionIdentifier, input: input,
                edit: editIdentifier, rendition: rendition, warnings: warnings),
            "\(ShortIdentifier.of(assetIdentifier))  "
                + (hasChanged
                    ? "\(extensionIdentifier) \(isUpdate ? "updated" : "added")"
                    : "unchanged by \(extensionIdentifier)"))
        output.warn(warnings, about: assetIdentifier)
    }
}
