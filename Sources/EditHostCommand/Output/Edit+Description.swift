// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import JSONOutput
import Library

extension Edit {
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
            + ", \(adjustmentData.data.count.counted("byte"))"
    }
}
