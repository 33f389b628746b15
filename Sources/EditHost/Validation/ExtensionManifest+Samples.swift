// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension ExtensionManifest {
    /// Values that differ from the defaults as far as possible. Parameters with the same limits get different values,
    /// because they may be a start and an end.
    var changedValues: [String: ParameterValue] {
        var values: [String: ParameterValue] = [:]
        for (index, parameter) in parameters.enumerated() {
            let alternatives = parameter.alternatives
            guard !alternatives.isEmpty else { continue }
            values[parameter.name] = alternatives[index % alternatives.count]
        }
        return values
    }
}
