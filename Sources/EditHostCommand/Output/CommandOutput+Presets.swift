// SPDX-License-Identifier: Apache-2.0

import EditHost
import JSONOutput

extension CommandOutput {
    /// Prints a preset.
    func print(_ preset: EditPreset, named name: String) throws {
        let extensions = preset.steps.map(\.extensionIdentifier)
        try print(
            preset.row(named: name),
            "\(name)  \(extensions.joined(separator: ", "))")
    }
}

extension CommandOutput {
    /// Prints the edits of a user's own preset.
    func print(steps: [EditPreset.Step]) throws {
        var table = TextTable(["edit", "extension", "version", "format", "bytes"])
        for (index, step) in steps.enumerated() {
            let recipe = step.adjustmentData
            try printJSON([
                "place": index + 1, "extension": step.extensionIdentifier,
                "version": step.extensionVersion, "formatIdentifier": recipe.formatIdentifier,
                "formatVersion": recipe.formatVersion, "size": recipe.data.count, "values": nil,
            ])
            table.add([
                "\(index + 1)", step.extensionIdentifier, step.extensionVersion,
                "\(recipe.formatIdentifier) \(recipe.formatVersion)", "\(recipe.data.count)",
            ])
        }
        try printText(table.lines)
    }

    /// Prints the values of an extension's preset.
    func print(values offered: OfferedPreset) throws {
        let values = offered.preset.values.sorted { $0.key < $1.key }
        try printJSON([
            "place": 1, "extension": offered.extensionIdentifier,
            "version": offered.extensionVersion, "formatIdentifier": nil, "formatVersion": nil,
            "size": nil, "values": offered.preset.values,
        ])
        var table = TextTable(["edit", "extension", "version", "values"])
        table.add([
            "1", offered.extensionIdentifier, offered.extensionVersion,
            values.map { "\($0.key)=\($0.value.text)" }.joined(separator: " "),
        ])
        try printText(table.lines)
    }

    /// Prints an extension's preset.
    func print(_ offered: OfferedPreset) throws {
        try print(
            offered.row, "\(offered.preset.name)  of \(offered.extensionIdentifier)")
    }
}
