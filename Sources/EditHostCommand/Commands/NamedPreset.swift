// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// A named preset: the user's own one, otherwise one that an extension offers.
enum NamedPreset: Sendable {
    case own(EditPreset)
    case offered(OfferedPreset)

    /// - Throws: `HostError` if there is no such preset, or several extensions offer one.
    init(_ name: String, _ author: PresetAuthor, _ general: GeneralOptions) async throws {
        let folder = try PresetFolder(GeneralOptions.standardConfiguration)
        if author.extensionName == nil, try folder.contains(name) {
            self = .own(try folder.preset(named: name))
            return
        }
        let offered = try await general.withHost { host in
            try host.offeredPreset(named: name, by: author.extensionName)
        }
        if let offered {
            self = .offered(offered)
        } else if let extensionName = author.extensionName {
            throw HostError(
                .badRequest,
                "\(extensionName) has no preset \"\(name)\"; run edithost preset "
                    + "list")
        } else {
            self = .own(try folder.preset(named: name))
        }
    }
}

extension GeneralOptions {
    /// Throws if only an extension offers a preset of this name.
    ///
    /// - Throws: `HostError` with the code `badRequest`.
    func requireOwn(_ name: String, in folder: PresetFolder) async throws {
        guard try !folder.contains(name) else { return }
        let offering = try await withHost { host in
            host.offeredPresets.filter { $0.preset.name == name }.map(\.extensionIdentifier)
        }
        guard let first = offering.first else { return }
        throw HostError(
            .badRequest,
            "the preset \"\(name)\" is part of \(first) and cannot be renamed or removed; to "
                + "make it your own, use preset export and preset import"
        )
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
