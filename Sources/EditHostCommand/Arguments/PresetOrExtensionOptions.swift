// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// The options of `apply`, `edit` and `preview` for an extension, its values, and presets.
struct PresetOrExtensionOptions: ParsableArguments {
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
            "Apply one of the extension's presets; --set overrides its values. Without --with, "
                + "edit and apply take one of your own presets, or a preset file; see "
                + "`edithost preset`.",
            valueName: "name|file"),
        completion: .preset)
    var preset: String?

    @OptionGroup var recipe: RecipeFileOption

    /// The name of the user's own preset; `nil` if an extension is named.
    var ownPreset: String? { extensionName == nil ? preset : nil }

    /// Whether only an extension can offer the preset, because the user has none of that name.
    ///
    /// - Throws: `HostError` if the user's presets cannot be read.
    var needsOffer: Bool {
        get throws {
            guard let ownPreset, !ownPreset.contains("/") else { return false }
            return try !PresetFolder(GeneralOptions.standardConfiguration).contains(ownPreset)
        }
    }

    /// Fills in the extension that offers the preset, if there is one.
    ///
    /// - Throws: `HostError` with `ambiguousExtension` if several extensions offer it.
    mutating func addOfferingExtension(_ host: ExtensionHost) throws {
        guard let ownPreset, let offered = try host.offeredPreset(named: ownPreset) else { return }
        extensionName = offered.extensionIdentifier
    }

    /// Returns the user's own preset with a name or at a path.
    ///
    /// - Throws: `HostError` if there is none or it cannot be read.
    static func ownPreset(_ nameOrPath: String) throws -> EditSource {
        .preset(
            try PresetFolder.preset(
                namedOrAt: nameOrPath, GeneralOptions.standardConfiguration))
    }

    /// The request for an edit with the extension.
    var request: EditRequest {
        var request = EditRequest(
            extensionName: extensionName ?? "", values: parameters.texts, preset: preset)
        request.recipe = recipe.path.map { .file($0) }
        return request
    }
}
