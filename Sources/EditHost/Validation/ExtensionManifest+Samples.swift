// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension ExtensionManifest {
    /// Values that differ from the defaults as far as possible. Parameters with the same limits get different values,
    /// because they may be a start and an end. Texts have their defaults, because they may name things that only some
    /// systems know, such as a font or a lens.
    var changedValues: [String: ParameterValue] {
        var values: [String: ParameterValue] = [:]
        for (index, parameter) in parameters.enumerated() {
            let alternatives = parameter.alternatives
            guard parameter.type != .text, !alternatives.isEmpty else { continue }
            values[parameter.name] = alternatives[index % alternatives.count]
        }
        return values
    }

    /// The settings that pixels are compared with: the defaults, and changed values.
    var settings: [[String: ParameterValue]] {
        changedValues.isEmpty ? [[:]] : [[:], changedValues]
    }
}
