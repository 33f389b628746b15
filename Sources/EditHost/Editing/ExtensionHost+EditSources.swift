// SPDX-License-Identifier: Apache-2.0

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
}
