// SPDX-License-Identifier: Apache-2.0

import EditHost
import Library

extension CommandOutput {
    /// Prints a preset.
    func print(_ preset: EditPreset, named name: String) throws {
        let extensions = preset.steps.map(\.extensionIdentifier)
        try print(
            [
                "name": .string(name), "extensions": .array(extensions.map { .string($0) }),
                "isOwn": true,
            ],
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
                "place": .integer(index + 1), "extension": .string(step.extensionIdentifier),
                "version": .string(step.extensionVersion),
                "formatIdentifier": .string(recipe.formatIdentifier),
                "formatVersion": .string(recipe.formatVersion),
                "size": .integer(recipe.data.count), "values": nil,
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
            "place": .integer(1), "extension": .string(offered.extensionIdentifier),
            "version": .string(offered.extensionVersion), "formatIdentifier": nil,
            "formatVersion": nil, "size": nil,
            "values": .object(values.map { ($0.key, $0.value.json) }),
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
            [
                "name": .string(offered.preset.name),
                "extensions": .array([.string(offered.extensionIdentifier)]), "isOwn": false,
            ], "\(offered.preset.name)  of \(offered.extensionIdentifier)")
    }
}
