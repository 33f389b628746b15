// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost

extension FinishedAssetEdit {
    /// Warnings for the user about the edits above this one.
    func framingWarnings(_ extensions: ExtensionStore) -> [String] {
        guard let output, let author = output.editingExtension?.identifier,
            let recipe = output.adjustmentData, !output.input.above.isEmpty
        else { return [] }
        let input = output.input
        let own = FramingWarnings.Place(
            origin: input.replaced?.identifier, author: author, adjustmentData: recipe)
        return FramingWarnings(history, extensions).warnings(
            input.below.filter(\.isEnabled).map(FramingWarnings.Place.init) + [own]
                + input.above.filter(\.isEnabled).map(FramingWarnings.Place.init))
    }
}
