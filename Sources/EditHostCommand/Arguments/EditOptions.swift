// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Library

/// What edit and preview want of an extension.
struct EditOptions: ParsableArguments {
    @Option(
        name: .customLong("with"),
        help: ArgumentHelp(
            "The extension: its identifier, or the unique last part of it.",
            valueName: "extension"),
        completion: .installedExtension)
    var extensionName: String?

    @Option(
        name: .customLong("set"), parsing: .singleValue,
        help: ArgumentHelp(
            "A parameter's value; `edithost extensions show` lists them.",
            discussion: """
                Parameters that are not named keep the values of the edit that is continued. \
                Rectangles are x,y,width,height and points x,y, in units of the picture; colours \
                #rrggbb or #rrggbbaa; booleans true or false; files a path; points and curves \
                [[x,y],...].
                """,
            valueName: "name=value"),
        completion: .parameter)
    var assignments: [ParameterAssignment] = []

    @Option(
        help: ArgumentHelp(
            "One of the extension's presets: values of several parameters; those of --set win. Without --with, of "
                + "edit: one of your own, see `edithost preset`.",
            valueName: "name"),
        completion: .preset)
    var preset: String?

    @Flag(help: "Start from the default values instead of those of the edit that is continued.")
    var reset = false

    @Option(
        help: ArgumentHelp(
            "The edit to open again, counted from 1; without it the last one.",
            valueName: "number"))
    var step: Int?

    @Option(
        help: ArgumentHelp(
            "A file that the edit starts from: a JSON object of values, or a recipe as `edithost resources` writes it.",
            valueName: "file"),
        completion: .file())
    var recipe: String?

    @Option(
        help: ArgumentHelp(
            "Start from the recipe of the last edit with the extension that this asset has. Without --with, of edit: "
                + "all of its edits.", valueName: "id"),
        completion: .asset)
    var from: String?

    func validate() throws {
        guard recipe == nil || from == nil else {
            throw ValidationError("Give --recipe or --from, not both.")
        }
        var names: Set<String> = []
        for assignment in assignments where !names.insert(assignment.name).inserted {
            throw ValidationError("The parameter \(assignment.name) is set twice.")
        }
    }

    /// The user's own preset; nil: an extension is named.
    var ownPreset: String? { extensionName == nil ? preset : nil }

    /// The asset all of whose edits are wanted; nil: an extension is named.
    var source: String? { extensionName == nil ? from : nil }

    /// Needs an extension to be named.
    ///
    /// - Parameter isAlone: whether there is no other way to say what is wanted.
    func requireExtension(isAlone: Bool = true) throws {
        guard extensionName != nil else {
            throw ValidationError(
                isAlone
                    ? "Missing expected argument '--with <extension>'"
                    : "Say which edit: '--with <extension>' (with --set, --preset, --recipe or --from), "
                        + "'--preset <name>', or '--from <id>'.")
        }
    }

    /// What is wanted of the extension.
    ///
    /// - Throws: `LibraryError` where there is no such asset.
    func request(in library: PhotoLibrary) throws -> EditRequest {
        var request = request
        if let recipe {
            request.recipe = .file(recipe)
        } else if let from {
            request.recipe = .asset(try library.asset(withIdentifierPrefix: from).localIdentifier)
        }
        return request
    }

    private var request: EditRequest {
        let values = assignments.map { ($0.name, $0.value) }
        return EditRequest(
            extensionName: extensionName ?? "",
            values: Dictionary(values, uniquingKeysWith: { _, last in last }), reset: reset,
            step: step, preset: preset)
    }
}

/// `NAME=VALUE`.
struct ParameterAssignment: ExpressibleByArgument {
    let name: String
    let value: String

    init?(argument: String) {
        guard let parts = argument.split(atFirst: "="), !parts.head.isEmpty else { return nil }
        (name, value) = (parts.head, parts.tail)
    }
}
