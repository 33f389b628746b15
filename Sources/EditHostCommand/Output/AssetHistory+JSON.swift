// SPDX-License-Identifier: Apache-2.0

import EditHost
import Library

extension AssetHistory {
    /// Returns the JSON of a state. State 0 is the original.
    func json(ofPosition position: Int, _ values: [String: EditValues]) -> JSONValue {
        let state = position == 0 ? nil : states[position - 1]
        return [
            "id": .string(asset.localIdentifier),
            "edit": JSONValue(state?.tip?.identifier),
            "extension": JSONValue(state?.tip?.editingExtension?.identifier),
            "state": .integer(position),
            "error": nil,
            "isCurrent": .boolean(position == self.position),
            "edits": .array((state?.chain ?? []).map { .string($0.identifier) }),
            "date": .string((state?.createdDate ?? asset.addedDate).universalText),
            "values": state?.tip.flatMap { values[$0.identifier] }?.json ?? .null,
        ]
    }

    /// Returns the edits of a state; empty for the original and for an invalid state.
    func chain(ofPosition position: Int) -> [Edit] {
        states.first { $0.position == position }?.chain ?? []
    }
}
