// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// A preset that an extension offers in its manifest: values of parameters, which become a recipe once the extension
/// has them.
package struct OfferedPreset: Hashable, Sendable {
    /// The extension's identifier.
    package let extensionIdentifier: String
    /// The extension's version.
    package let extensionVersion: String
    /// What the manifest says.
    package let preset: ParameterPreset
}

extension ExtensionHost {
    /// The presets that available extensions offer.
    package var offeredPresets: [OfferedPreset] {
        extensions.catalogue.available.compactMap(\.manifest).flatMap { manifest in
            manifest.presets.map {
                OfferedPreset(
                    extensionIdentifier: manifest.identifier, extensionVersion: manifest.version,
                    preset: $0)
            }
        }
    }

    /// The preset that an extension offers under a name; nil: none does.
    ///
    /// - Parameter extensionName: the name of the extension that is meant; nil: any that offers one.
    /// - Throws: `HostError` with `ambiguousExtension` where several do; for an extension that there is not.
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

    /// An extension's preset as a recipe, which the extension makes itself, over a gray picture. Parameters that the preset
    /// does not name have their default values.
    ///
    /// - Throws: `HostError` where the extension cannot be run, or makes none.
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
