// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension ExtensionManifest {
    /// Values that differ from the defaults as far as possible.
    var changedValues: [String: ParameterValue] {
        var values: [String: ParameterValue] = [:]
        for parameter in parameters { values[parameter.name] = parameter.alternatives.first }
        return values
    }

    /// The settings that pixels are compared with: the defaults, and changed values.
    var settings: [[String: ParameterValue]] {
        changedValues.isEmpty ? [[:]] : [[:], changedValues]
    }
}
