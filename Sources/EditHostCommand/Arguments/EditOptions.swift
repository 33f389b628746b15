// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Library

/// The options of `edit` and `preview` for one edit.
struct EditOptions: ParsableArguments {
    @OptionGroup var base: PresetOrExtensionOptions

    @Flag(help: "Start from the default values instead of the values of the edit that is updated.")
    var reset = false

    @Option(
        help: ArgumentHelp(
            "The edit to update, counted from 1 (default: the last).",
            valueName: "number"))
    var step: Int?

    @Option(
        help: ArgumentHelp(
            "Start from the recipe of this photo's last edit with the extension. With edit, "
                + "but without --with, copy all of its edits.", valueName: "id"),
        completion: .asset)
    var from: String?

    func validate() throws {
        guard base.recipe.path == nil || from == nil else {
            throw ValidationError("Use --recipe or --from, not both.")
        }
    }

    /// The asset whose edits are copied; `nil` if an extension is named.
    var source: String? { base.extensionName == nil ? from : nil }

    /// Throws an error unless an extension is named.
    ///
    /// - Parameter isAlone: `true` if the command has no alternative to `--with`.
    func requireExtension(isAlone: Bool = true) throws {
        guard base.extensionName != nil else {
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
        var request = base.request
        (request.reset, request.step) = (reset, step)
        if let from, request.recipe == nil {
            request.recipe = .asset(try library.asset(named: from).localIdentifier)
        }
        return request
    }
}
