// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension ParameterPreset {
    /// The declaration in the manifest as JSON.
    var json: JSONValue {
        let values = values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }
        return ["name": .string(name), "label": label.json, "values": .object(values)]
    }
}
