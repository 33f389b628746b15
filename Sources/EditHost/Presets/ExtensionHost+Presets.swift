// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension ExtensionHost {
    /// Returns the current edit stack of an asset as a preset.
    ///
    /// - Parameter extensionNames: The names of the extensions whose edits are included; nil means all enabled edits.
    /// - Throws: `HostError` with `badRequest` if there are no such edits, or one of them cannot be applied to another
    ///   asset; `LibraryError`.
    public func preset(
        ofEditsOf identifier: String, extensionNames: [String]? = nil, in library: PhotoLibrary
    ) throws -> EditPreset {
        let wanted = try extensionNames.map { names in
            try names.map { try extensions.catalogue.installed(named: $0).identifier }
        }
        return try EditPreset(library.history(ofAsset: identifier), extensions: wanted)
    }
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
    /// - Parameter extensionName: The name of the extension; nil means any extension.
    /// - Throws: `HostError` with `ambiguousExtension` if several extensions offer it, or `noSuchExtension` if the
    ///   extension is not installed.
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

    /// Returns the recipe of an extension's preset, written by the extension over a gray picture. Parameters without a
    /// value in the preset have their default values.
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
