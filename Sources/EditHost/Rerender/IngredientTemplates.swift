// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Hashing
import Library

/// The ingredients that many renditions have in common, by kind. For a kind that is `nil`, each rendition must be
/// checked separately.
struct IngredientTemplates: Sendable {
    /// By ``RenditionRecord/originalKind``.
    var originals: [String: RenditionIngredients.Template?] = [:]
    /// By ``RenditionRecord/Step/kind``.
    var steps: [String: RenditionIngredients.Step.Template?] = [:]

    /// Whether all kinds that occur in a record are known.
    func haveKinds(of record: RenditionRecord) -> Bool {
        originals[record.originalKind] != nil
            && record.steps.allSatisfy { steps[$0.kind] != nil }
    }

    /// Returns the key that a rendition would have now, or `nil` if it must be determined from the history.
    func key(of record: RenditionRecord) -> SHA256Digest? {
        guard let template = originals[record.originalKind] ?? nil else { return nil }
        var encodedSteps: [String] = []
        for step in record.steps {
            guard let template = steps[step.kind] ?? nil else { return nil }
            encodedSteps.append(template.encoded(recipe: step.recipe))
        }
        let encoded = template.encoded(
            base: record.original, original: record.original, steps: encodedSteps)
        return SHA256Digest(bytes: SHA256.hash(data: encoded))
    }

    /// Adds templates of kinds that are not known yet.
    mutating func add(_ new: IngredientTemplates) {
        originals.merge(new.originals) { known, _ in known }
        steps.merge(new.steps) { known, _ in known }
    }
}
