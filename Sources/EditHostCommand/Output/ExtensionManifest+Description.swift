// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import JSONOutput

extension ExtensionManifest {
    /// The lines about the publisher and the purpose of the extension, in the user's language.
    func catalogueLines(in languages: [String]) -> [String] {
        let facts = [
            ("vendor", vendor), ("author", author), ("homepage", homepage), ("support", support),
            ("license", license), ("about", description?.text(for: languages)),
            ("categories", categories.isEmpty ? nil : categories.joined(separator: ", ")),
        ]
        return facts.compactMap { name, value in
            value.map { name.padding(toLength: 12, withPad: " ", startingAt: 0) + $0 }
        }
    }

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
