// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension Edit {
    /// The quoted extension identifier and recipe format, as in ``RenditionRecord/Step/kind``, or
    /// nil if the edit has no extension.
    package var stepKind: String? {
        guard let identifier = editingExtension?.identifier else { return nil }
        return [identifier, adjustmentData.formatIdentifier, adjustmentData.formatVersion]
            .map { "'" + $0.replacing("'", with: "''") + "'" }.joined()
    }
}
