// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Library

extension Edit {
    /// Returns the JSON of an edit in `show`.
    func json(_ values: EditValues?) -> JSONValue {
        [
            "edit": .string(identifier),
            "extension": JSONValue(editingExtension?.identifier),
            "version": JSONValue(editingExtension?.version),
            "adjustmentFormatIdentifier": .string(adjustmentData.formatIdentifier),
            "adjustmentFormatVersion": .string(adjustmentData.formatVersion),
            "isReproducible": .boolean(isReproducible), "isEnabled": .boolean(isEnabled),
            "files": .array(files.map(\.json)),
            "values": values?.json ?? .null,
            "valuesError": JSONValue(values?.reason),
            "recipeSize": .integer(adjustmentData.data.count),
            "date": .string(createdDate.universalText),
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
