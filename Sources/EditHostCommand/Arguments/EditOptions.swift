// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Library

/// The options of `edit` and `preview` for one edit.
struct EditOptions: ParsableArguments {
    @Option(
        name: .customLong("with"),
        help: ArgumentHelp(
            "The extension: its identifier, or its last part if that is unique.",
            valueName: "extension"),
        completion: .installedExtension)
    var extensionName: String?

    @OptionGroup var parameters: ParameterOptions

    @Option(
        help: ArgumentHelp(
            "Apply one of the extension's presets; --set overrides its values. With edit, but without "
                + "--with, apply one of your own presets, or a preset file; see `edithost preset`.",
            valueName: "name|file"),
        completion: .preset)
    var preset: String?

    @Flag(help: "Start from the default values instead of the values of the edit that is updated.")
    var reset = false

    @Option(
        help: ArgumentHelp(
            "The edit to update, counted from 1 (default: the last).",
            valueName: "number"))
    var step: Int?

    @OptionGroup var recipe: RecipeFileOption

    @Option(
        help: ArgumentHelp(
            "Start from the recipe of this photo's last edit with the extension. With edit, "
                + "but without --with, copy all of its edits.", valueName: "id"),
        completion: .asset)
    var from: String?

    func validate() throws {
        guard recipe.path == nil || from == nil else {
            throw ValidationError("Use --recipe or --from, not both.")
        }
    }

    /// The name of the user's own preset; `nil` if an extension is named.
    var ownPreset: String? { extensionName == nil ? preset : nil }

    /// The asset whose edits are copied; `nil` if an extension is named.
    var source: String? { extensionName == nil ? from : nil }

    /// Throws an error unless an extension is named.
    ///
    /// - Parameter isAlone: `true` if the command has no alternative to `--with`.
    func requireExtension(isAlone: Bool = true) throws {
        guard extensionName != nil else {
            throw ValidationError(
                isAlone
                    ? "Missing expected argument '--with <extension>'"
                    : "Give an edit: '--with <extension>' (and --set, --preset, --recipe or "
                        + "--from), '--preset <name>', or '--from <id>'.")
        }
    }

    /// Returns the edit request for the extension.
    ///
    /// - Throws: `LibraryError` if the asset of `--from` does not exist.
    func request(in library: PhotoLibrary) throws -> EditRequest {
        var request = request
        if let path = recipe.path {
            request.recipe = .file(path)
        } else if let from {
            request.recipe = .asset(try library.asset(named: from).localIdentifier)
        }
        return request
    }

    private var request: EditRequest {
        EditRequest(
            extensionName: extensionName ?? "", values: parameters.texts, reset: reset,
            step: step, preset: preset)
    }
}
