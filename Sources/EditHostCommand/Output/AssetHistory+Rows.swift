// SPDX-License-Identifier: Apache-2.0

import EditHost
import Library

extension AssetHistory {
    /// Returns the JSON of a state. State 0 is the original.
    func row(ofPosition position: Int, _ values: [String: EditValues]) -> JSONRow {
        let state = position == 0 ? nil : states[position - 1]
        return [
            "id": asset.localIdentifier,
            "edit": state?.tip?.identifier,
            "extension": state?.tip?.editingExtension?.identifier,
            "state": position,
            "error": nil,
            "isCurrent": position == self.position,
            "edits": (state?.chain ?? []).map(\.identifier),
            "date": (state?.createdDate ?? asset.addedDate).universalText,
            "values": state?.tip.flatMap { values[$0.identifier] }?.known,
        ]
    }

    /// Returns the edits of a state; empty for the original and for an invalid state.
    func chain(ofPosition position: Int) -> [Edit] {
        states.first { $0.position == position }?.chain ?? []
    }
}
