// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension ExtensionManifest {
    /// Returns a table of the parameters by group, in the user's language.
    func parameterLines(in languages: [String]) -> [String] {
        guard !parameters.isEmpty else { return ["", "no parameters"] }
        var table = TextTable(["parameter", "label", "takes", "default", "meaning"])
        for group in parameterGroups {
            if let title = group.title { table.add(title: title.text(for: languages)) }
            for parameter in group.parameters { table.add(parameter.cells(in: languages)) }
        }
        return [""] + table.lines
    }

    /// Returns a table of the presets; empty if there are none.
    func presetLines(in languages: [String]) -> [String] {
        guard !presets.isEmpty else { return [] }
        var table = TextTable(["preset", "label", "sets"])
        for preset in presets {
            let values = parameters.compactMap { parameter in
                preset.values[parameter.name].map { "\(parameter.name)=\($0.text)" }
            }
            table.add([
                preset.name, preset.label?.text(for: languages) ?? "",
                values.joined(separator: " "),
            ])
        }
        return [""] + table.lines
    }
}
