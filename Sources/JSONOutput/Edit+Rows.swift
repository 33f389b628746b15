// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Library

extension Edit {
    /// Returns the JSON of an edit in `show`.
    package func row(_ values: EditValues?) -> JSONRow {
        [
            "edit": identifier, "extension": editingExtension?.identifier,
            "version": editingExtension?.version,
            "adjustmentFormatIdentifier": adjustmentData.formatIdentifier,
            "adjustmentFormatVersion": adjustmentData.formatVersion,
            "isReproducible": isReproducible, "isEnabled": isEnabled, "files": files.map(\.row),
            "values": values?.known, "valuesError": values?.reason,
            "recipeSize": adjustmentData.data.count, "date": createdDate.universalText,
        ]
    }

    /// Returns the JSON of an edit at a 1-based position of the edit stack.
    package func row(at place: Int, of asset: String) -> JSONRow {
        [
            "id": asset,
            "place": place,
            "edit": identifier,
            "extension": editingExtension?.identifier,
            "version": editingExtension?.version,
            "formatIdentifier": adjustmentData.formatIdentifier,
            "formatVersion": adjustmentData.formatVersion,
            "isEnabled": isEnabled,
            "date": createdDate.universalText,
            "error": nil,
        ]
    }

    /// The author of the edit for messages.
    package var author: String { editingExtension?.identifier ?? "an application" }
}
