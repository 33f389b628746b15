// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Hashing
import Library
import RunnerProtocol
import Synchronization

/// Finds stored pictures that are certainly up to date, from histories that have been read anyway.
///
/// It compares the ingredients of a picture with those that it would have now, as ``StalenessScan`` does. Most of them
/// are shared by many pictures.
final class UpToDatePictures: Sendable {
    /// The properties of an edit that determine its step, except for the recipe.
    private struct StepKind: Hashable {
        let identity: EditingExtensionIdentity?
        let formatIdentifier: String
        let formatVersion: String

        init(_ edit: Edit) {
            identity = edit.editingExtension
            formatIdentifier = edit.adjustmentData.formatIdentifier
            formatVersion = edit.adjustmentData.formatVersion
        }
    }

    private struct Known {
        /// By the settings of the encoder; `nil` if they cannot be determined.
        var pictures: [EncodeSettings: RenditionIngredients.Template?] = [:]
        /// `nil` for a step that cannot be run.
        var steps: [StepKind: RenditionIngredients.Step.Template?] = [:]
    }

    private let renderer: Renderer
    private let known = Mutex(Known())

    init(_ renderer: Renderer) { self.renderer = renderer }

    /// Returns whether the picture of the current version is certainly up to date. It may be up to date even if not.
    func areCurrent(_ history: AssetHistory) async -> Bool {
        let edits = history.chain.filter(\.isEnabled)
        guard history.asset.mediaType == .image, let stored = history.chain.last?.current,
            let original = history.original?.contentHash, let facts = history.original?.facts,
            history.chain.allSatisfy({ $0.base == nil && !$0.coversMotion }),
            edits.allSatisfy({ $0.isReproducible && $0.files.isEmpty }),
            let picture = await picture(.rendition(of: facts), of: history)
        else { return false }
        var steps: [String] = []
        for edit in edits {
            guard let step = step(edit) else { return false }
            let recipe = SHA256Digest(bytes: SHA256.hash(data: edit.adjustmentData.data))
            steps.append(step.encoded(recipe: recipe.hex))
        }
        return picture.encoded(base: original, original: original, steps: steps)
            == stored.ingredients
    }

    private func picture(
        _ settings: EncodeSettings, of history: AssetHistory
    ) async -> RenditionIngredients.Template? {
        if let known = known.withLock({ $0.pictures[settings] }) { return known }
        var template: RenditionIngredients.Template?
        if let plan = try? renderer.planner.plan([], of: history),
            let versions = try? await renderer.versions(settings)
        {
            template = try? plan.ingredients(settings: settings, versions).template
        }
        known.withLock { [template] in $0.pictures[settings] = .some(template) }
        return template
    }

    private func step(_ edit: Edit) -> RenditionIngredients.Step.Template? {
        let kind = StepKind(edit)
        if let known = known.withLock({ $0.steps[kind] }) { return known }
        let template = (try? renderer.planner.step(edit)).flatMap {
            try? RenditionIngredients.Step($0).template
        }
        known.withLock { $0.steps[kind] = .some(template) }
        return template
    }
}
