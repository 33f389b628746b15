// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Library

extension Edit {
    /// Returns the JSON of an edit in `show`.
    func row(_ values: EditValues?) -> JSONRow {
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

    /// Returns the author and the parameter values as text. If they are unknown, it contains the reason and the
    /// recipe format.
    func description(_ values: EditValues?) -> String {
        switch values {
        case .known(let known)?:
            known.isEmpty ? author : "\(author)  \(EditValues.known(known).words)"
        case .unknown(let reason)?: "\(author) (\(reason.printable); \(recipe))"
        case nil: "\(author), \(recipe)"
        }
    }

    /// The format and the size of the recipe.
    private var recipe: String {
        "\(adjustmentData.formatIdentifier) \(adjustmentData.formatVersion)".printable
            + ", \(adjustmentData.data.count) bytes"
    }

    /// The author of the edit for messages.
    var author: String { editingExtension?.identifier ?? "an application" }
}
