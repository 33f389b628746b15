// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// Edits of another asset or a preset that are added to the edits of an asset, or replace them.
struct CopiedEdits: Sendable {
    let steps: [ChainStep]
    let options: EditCopyOptions
    let rendering: EditChainRendering
    let cancellation: EditCancellation

    /// Renders an asset with the edits, unless it has them already.
    ///
    /// - Throws: `HostError`, `LibraryError`, `CancellationError`.
    func prepare(_ identifier: String) async throws -> PreparedEdit {
        let history = try rendering.library.history(ofAsset: identifier)
        if !options.replacesEdits, !options.repeatsEdits, steps.count <= history.chain.count {
            let kept = history.chain.count - steps.count
            if steps.haveExtensions(of: history.chain[kept...]),
                isDone(try await completed(history, kept), history, kept)
            {
                return PreparedEdit(unchanged: history)
            }
        }
        let kept = options.replacesEdits ? 0 : history.chain.count
        let steps = try await completed(history, kept)
        if isDone(steps, history, kept) { return PreparedEdit(unchanged: history) }
        return PreparedEdit(
            try await rendering.chain(kept, steps, of: history), of: history,
            warnings: EditChainRendering.warnings(of: steps))
    }

    /// Returns whether the edits of an asset above the kept ones are these steps.
    private func isDone(_ steps: [ChainStep], _ history: AssetHistory, _ kept: Int) -> Bool {
        let wantsMotion =
            !options.stillOnly && history.chain.prefix(kept).allSatisfy(\.coversMotion)
        return steps.match(
            history.chain[kept...],
            editingMotion: history.pairedVideo == nil ? nil : wantsMotion)
    }

    /// Returns the steps with the recipes for this asset: an extension that stores data of the photo, such as those of
    /// its lens, finds them.
    private func completed(_ history: AssetHistory, _ kept: Int) async throws -> [ChainStep] {
        var result: [ChainStep] = []
        for step in steps {
            guard let applied = step.applied,
                applied.binary.manifest.canRefreshPhotoData(of: applied.adjustmentData)
            else {
                result.append(step)
                continue
            }
            try cancellation.check()
            var request = EditRequest(extensionName: applied.binary.manifest.identifier)
            request.stillOnly = options.stillOnly
            let preparation = EditPreparation(
                host: rendering.host, library: rendering.library, request: request,
                binary: applied.binary, values: [:], recipe: StartingRecipe(applied),
                cancellation: cancellation)
            let edit = try await preparation.start(
                history, keeping: kept, below: result.compactMap(\.applied))
            result.append(try await preparation.step(of: edit).step ?? step)
        }
        return result
    }
}
