// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// An edit in the new edit stack of an asset.
struct ChainStep: Sendable {
    /// The step that applies the edit, or nil if it is disabled.
    let applied: StatePlan.Step?
    /// The edit as stored in the library.
    let stored: NewEditChain.Step
    /// The identifier of the asset's edit that this is or replaces, or nil for a new edit.
    let origin: String?

    /// Creates a step for a new edit.
    ///
    /// - Parameter old: the edit that it replaces, if any.
    init(_ step: StatePlan.Step, files: [StagedEditFile]? = nil, inPlaceOf old: Edit? = nil) {
        applied = step
        origin = old?.identifier
        stored = NewEditChain.Step(
            step.identity, step.adjustmentData,
            files: files ?? step.files.map { StagedEditFile($0.description) })
    }

    /// Creates a step for an existing edit.
    ///
    /// - Parameter applied: the step that applies it, or nil if it is disabled.
    init(_ edit: Edit, _ applied: StatePlan.Step?) {
        self.init(edit, applied, applied?.identity ?? edit.editingExtension)
    }

    /// Returns a copy of this step that replaces an edit of the asset.
    func inPlace(of edit: Edit) -> ChainStep {
        ChainStep(applied: applied, stored: stored, origin: edit.identifier)
    }

    private init(applied: StatePlan.Step?, stored: NewEditChain.Step, origin: String?) {
        self.applied = applied
        self.stored = stored
        self.origin = origin
    }

    /// Creates a step for a disabled edit that is reassigned to another extension.
    init(disabled edit: Edit, takenBy identity: EditingExtensionIdentity) {
        self.init(edit, nil, identity)
    }

    private init(
        _ edit: Edit, _ applied: StatePlan.Step?, _ identity: EditingExtensionIdentity?
    ) {
        self.applied = applied
        origin = edit.identifier
        stored = NewEditChain.Step(
            identity, edit.adjustmentData,
            isReproducible: applied != nil || edit.isReproducible, isEnabled: applied != nil,
            files: edit.files.map { StagedEditFile($0) })
    }
}
