// SPDX-License-Identifier: Apache-2.0

import Library

/// An edit in the new edit stack of an asset.
struct ChainStep: Sendable {
    /// The step that applies the edit, or nil if it is disabled.
    let applied: StatePlan.Step?
    /// The edit as stored in the library.
    var stored: NewEditChain.Step
    /// The identifier of the asset's edit that this is or replaces, or nil for a new edit.
    var origin: String?

    /// Creates a step for a new edit.
    ///
    /// - Parameter old: The edit that it replaces, if any.
    init(_ step: StatePlan.Step, files: [StagedEditFile]? = nil, inPlaceOf old: Edit? = nil) {
        applied = step
        origin = old?.identifier
        stored = NewEditChain.Step(
            step.identity, step.adjustmentData,
            files: files ?? step.files.map { StagedEditFile($0.description) })
    }

    /// Creates a step for an existing edit.
    ///
    /// - Parameters:
    ///   - applied: The step that applies it, or nil if it is disabled.
    ///   - identity: The extension that a disabled edit is reassigned to, if any.
    init(
        _ edit: Edit, _ applied: StatePlan.Step?, takenBy identity: EditingExtensionIdentity? = nil
    ) {
        self.applied = applied
        origin = edit.identifier
        stored = NewEditChain.Step(edit, applied?.identity ?? identity ?? edit.editingExtension)
    }
}

extension [ChainStep] {
    /// Returns whether the steps have the same recipes, and the same builds of extensions, as these edits.
    func match(_ edits: [Edit]) -> Bool {
        count == edits.count
            && zip(self, edits).allSatisfy { step, edit in
                let stored = step.stored
                return stored.adjustmentData == edit.adjustmentData
                    && stored.files.map(\.description) == edit.files
                    && stored.editingExtension == edit.editingExtension
                    && stored.isEnabled == edit.isEnabled
            }
    }
}
