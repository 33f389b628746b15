// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Library

extension JSONRow {
    /// Creates the row of a photo whose edits were changed, or failed to change.
    ///
    /// - Parameter history: The history afterwards; `nil` if the change failed.
    package init(
        editsOf identifier: String, history: AssetHistory?, status: String,
        extension extensionIdentifier: String?, input: EditResult.Input? = nil,
        edit: String? = nil, rendition: SHA256Digest? = nil, warnings: [String] = [],
        error: String? = nil
    ) {
        self = [
            "id": identifier, "extension": extensionIdentifier, "input": input?.rawValue,
            "edit": edit, "rendition": rendition?.hex,
            "edits": history?.chain.map(\.identifier), "state": history?.position,
            "status": status, "warnings": warnings, "error": error,
        ]
    }

    /// Creates the row of a photo one of whose versions was saved, renamed or removed.
    package init(version name: String, of identifier: String, status: String) {
        self = ["id": identifier, "version": name, "status": status, "error": nil]
    }
}
