// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension ExtensionHost {
    /// Returns a function that prepares the edits of an asset, after checking that the source has any.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    func work(
        _ source: EditSource, _ options: EditCopyOptions, _ library: PhotoLibrary,
        _ cancellation: EditCancellation
    ) throws -> @Sendable (String) async throws -> PreparedEdit {
        let rendering = EditChainRendering(self, library, stillOnly: options.stillOnly)
        switch source {
        case .asset(let identifier):
            let copy = CopiedEdits(
                steps: try rendering.steps(try edits(of: identifier, options, in: library)),
                options: options, rendering: rendering, cancellation: cancellation)
            return copy.prepare
        case .preset(let preset):
            let copy = CopiedEdits(
                steps: try steps(of: preset, options, for: library), options: options,
                rendering: rendering, cancellation: cancellation)
            return copy.prepare
        case .requests(let requests):
            let preparations = try requests.map { request in
                var request = request
                request.stillOnly = options.stillOnly
                request.appends = options.repeatsEdits
                return try prepare(request, in: library, cancellation)
            }
            let edit = MultistepEdit(
                preparations: preparations, options: options, rendering: rendering)
            return edit.prepare
        case .edits(let old, let new):
            let replacement = ExtensionReplacement(
                old: old,
                binary: try extensions.binary(
                    of: try extensions.catalogue.installed(named: new), for: library.path),
                rendering: rendering, cancellation: cancellation)
            return replacement.prepare
        }
    }

    private func steps(
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

    private func edits(
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
