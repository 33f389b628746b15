// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// A preset that an extension defines in its manifest as parameter values. The extension converts
/// them to a recipe.
package struct OfferedPreset: Hashable, Sendable {
    /// The identifier of the extension.
    package let extensionIdentifier: String
    /// The version of the extension.
    package let extensionVersion: String
    /// The name and the values, from the manifest.
    package let preset: ParameterPreset
}

extension ExtensionHost {
    /// The presets of all available extensions.
    package var offeredPresets: [OfferedPreset] {
        extensions.catalogue.available.compactMap(\.manifest).flatMap { manifest in
            manifest.presets.map {
                OfferedPreset(
                    extensionIdentifier: manifest.identifier, extensionVersion: manifest.version,
                    preset: $0)
            }
        }
    }

    /// Returns the preset that an extension offers under a name, or nil if there is none.
    ///
    /// - Parameter extensionName: the name of the extension; nil: any extension.
    /// - Throws: `HostError` with `ambiguousExtension` if several extensions offer it, or `noSuchExtension` if the extension
    ///   is not installed.
    package func offeredPreset(
        named name: String, by extensionName: String? = nil
    ) throws -> OfferedPreset? {
        let author = try extensionName.map { try extensions.catalogue.installed(named: $0) }
        let same = offeredPresets.filter { offered in
            offered.preset.name.isSameName(as: name)
                && (author.map { $0.identifier == offered.extensionIdentifier } ?? true)
        }
        let exact = same.filter { $0.preset.name == name }
        let offered = exact.isEmpty ? same : exact
        guard offered.count < 2 else {
            let names = offered.map(\.extensionIdentifier).joined(separator: " and ")
            throw HostError(
                .ambiguousExtension,
                "\(names) have presets \"\(name)\"; choose one with --with")
        }
        return offered.first
    }

    /// Returns the recipe of an extension's preset, written by the extension over a gray picture. Parameters without a value
    /// in the preset have their default values.
    ///
    /// - Throws: `HostError` if the extension cannot be run; with `cannotRender` if it writes no recipe.
    package func recipe(of offered: OfferedPreset) async throws -> EditPreset {
        let binary = try extensions.binary(identifier: offered.extensionIdentifier)
        guard let recipe = try await trialRecipe(of: binary, offered.preset.values) else {
            throw HostError(
                .cannotRender,
                "the extension makes no recipe from its preset \"\(offered.preset.name)\"; use "
                    + "edit --with \(offered.extensionIdentifier) --preset",
                extension: offered.extensionIdentifier)
        }
        return EditPreset(steps: [
            EditPreset.Step(
                extensionIdentifier: binary.manifest.identifier,
                extensionVersion: binary.manifest.version,
                adjustmentData: try recipe.checked())
        ])
    }
}
