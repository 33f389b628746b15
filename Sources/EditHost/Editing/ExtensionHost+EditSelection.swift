// SPDX-License-Identifier: Apache-2.0

import Library

extension ExtensionHost {
    /// Returns the steps of a preset to copy: all, or those with the extensions of the options.
    ///
    /// - Throws: `HostError`.
    func steps(
        of preset: EditPreset, _ options: EditCopyOptions, for library: PhotoLibrary
    ) throws -> [ChainStep] {
        let wanted = try identifiers(options)
        let chosen = preset.steps.filter { wanted?.contains($0.extensionIdentifier) ?? true }
        guard !chosen.isEmpty else {
            throw HostError(.badRequest, "the preset has no matching edits")
        }
        return try chosen.map { step in
            ChainStep(
                StatePlan.Step(
                    binary: try extensions.binary(
                        identifier: step.extensionIdentifier, for: library.path),
                    adjustmentData: step.adjustmentData))
        }
    }

    /// Returns the edits of an asset to copy: the enabled ones, or those of them with the extensions of the options.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    func edits(
        of source: String, _ options: EditCopyOptions, in library: PhotoLibrary
    ) throws -> [Edit] {
        let wanted = try identifiers(options)
        let edits = try library.history(ofAsset: source).chain.filter { edit in
            guard edit.isEnabled, let wanted else { return edit.isEnabled }
            return edit.editingExtension.map { wanted.contains($0.identifier) } ?? false
        }
        guard edits.isEmpty else { return edits }
        throw HostError(
            .badRequest,
            options.extensionNames.map { "no edit with \($0.joined(separator: ", "))" }
                ?? "no edits to copy", asset: source)
    }

    private func identifiers(_ options: EditCopyOptions) throws -> [String]? {
        try options.extensionNames.map { names in
            try names.map { try extensions.catalogue.installed(named: $0).identifier }
        }
    }
}
