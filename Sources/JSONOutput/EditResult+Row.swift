// SPDX-License-Identifier: Apache-2.0

import EditHost
import Library

extension EditResult {
    /// The JSON that `edits`, `version use`, `copy-edits` and `extensions replace` print: the edit stack after the
    /// change.
    package var editsRow: JSONRow {
        let tip = history.chain.last
        return JSONRow(
            editsOf: assetIdentifier, history: history, status: status.rawValue,
            extension: tip?.editingExtension?.identifier, edit: hasChanged ? tip?.identifier : nil,
            rendition: rendition, warnings: warnings)
    }
}
