// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost

/// Reassigns the edits of one extension to another one, or to a newer version of itself.
struct ExtensionReplacement: Sendable {
    /// The identifier of the extension that made the edits.
    let old: String
    /// The extension that the edits are reassigned to.
    let binary: ExtensionBinary
    let rendering: EditChainRendering
    let cancellation: EditCancellation

    private var host: ExtensionHost { rendering.host }
    private var library: PhotoLibrary { rendering.library }
    private var manifest: ExtensionManifest { binary.manifest }

    /// Renders an asset's edit stack with the new extension. Recipes in a format that its manifest upgrades are
    /// rewritten by the extension; others stay byte for byte. If the extension is the same and no recipe changes, the asset
    /// stays as it is.
    ///
    /// - Throws: `HostError` with `cannotRender` if the extension does not accept a recipe; `LibraryError`;
    ///   `CancellationError`.
    func prepare(_ identifier: String) async throws -> PreparedEdit {
        let history = try library.history(ofAsset: identifier)
        guard let kept = history.chain.firstIndex(where: usesReplacedExtension) else {
            return PreparedEdit(unchanged: history)
        }
        var steps: [ChainStep] = []
        var hasChanged = old != manifest.identifier
        for (index, edit) in history.chain.enumerated().dropFirst(kept) {
            try cancellation.check()
            if usesReplacedExtension(edit) {
                let step = try await replaced(
                    edit, at: index + 1, of: history, kept: kept, above: steps)
                hasChanged = hasChanged || step.stored.adjustmentData != edit.adjustmentData
                steps.append(step)
            } else {
                steps += try rendering.steps([edit])
            }
        }
        guard hasChanged else { return PreparedEdit(unchanged: history) }
        // Motion that an earlier edit has hidden stays hidden.
        var rendering = rendering
        rendering.stillOnly = history.chain.last?.coversMotion == false
        return PreparedEdit(
            try await rendering.chain(kept, steps, of: history), of: history,
            warnings: FramingWarnings(history, host.extensions).warnings(kept, steps))
    }

    private func usesReplacedExtension(_ edit: Edit) -> Bool {
        guard edit.editingExtension?.identifier == old else { return false }
        return old != manifest.identifier || edit.isEnabled && isUpgraded(edit)
    }

    private func isUpgraded(_ edit: Edit) -> Bool {
        manifest.upgrades.contains { $0.matches(edit.adjustmentData) }
    }

    private func replaced(
        _ edit: Edit, at place: Int, of history: AssetHistory, kept: Int, above steps: [ChainStep]
    ) async throws -> ChainStep {
        let preparation = EditPreparation(
            host: host, library: library,
            request: EditRequest(extensionName: manifest.identifier), binary: binary, values: [:],
            recipe: StartingRecipe(edit), cancellation: cancellation,
            refreshesPhotoData: manifest.canRefreshPhotoData(of: edit.adjustmentData))
        let session = try await preparation.session(with: [])
        let answer: Result<Bool, any Error>
        do {
            answer = .success(try await session.canHandle(edit.adjustmentData))
        } catch {
            answer = .failure(error)
        }
        await session.close()
        let data = edit.adjustmentData
        guard try answer.get() else {
            throw HostError(
                .cannotRender,
                "\(manifest.identifier) \(manifest.version) does not accept the recipe of edit "
                    + "\(place), which has the format \(data.formatIdentifier) "
                    + "\(data.formatVersion)",
                asset: history.asset.localIdentifier, extension: manifest.identifier)
        }
        guard edit.isEnabled else { return ChainStep(edit, nil, takenBy: binary.identity) }
        guard host.reproducibility.isReproducing(binary) != false else {
            throw HostError(
                .cannotRender,
                "\(manifest.identifier) \(manifest.version) is not reproducible, so it cannot "
                    + "take over edits of another build",
                asset: history.asset.localIdentifier, extension: manifest.identifier)
        }
        guard isUpgraded(edit) else {
            return ChainStep(
                StatePlan.Step(
                    binary: binary, adjustmentData: data, storesResult: edit.base != nil,
                    files: edit.files.map(ParameterFile.init)), inPlaceOf: edit)
        }
        let started = try await preparation.start(
            history, keeping: kept, below: steps.compactMap(\.applied))
        guard var step = try await preparation.step(of: started).step else {
            throw HostError(
                .cannotRender,
                "\(manifest.identifier) \(manifest.version) did not rewrite the recipe of edit "
                    + "\(place)",
                asset: history.asset.localIdentifier, extension: manifest.identifier)
        }
        step.origin = edit.identifier
        return step
    }
}
