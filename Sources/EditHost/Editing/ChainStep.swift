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
    /// Returns whether the steps are these edits: they have the same extensions and recipes. Their versions and builds
    /// may differ, because pictures are rendered again without an edit.
    ///
    /// - Parameter motion: Whether the steps edit the video of a Live Photo; `nil` if the asset is not one.
    func match(_ edits: some Collection<Edit>, editingMotion motion: Bool?) -> Bool {
        count == edits.count
            && zip(self, edits).allSatisfy { step, edit in
                let stored = step.stored
                return step.hasExtension(of: edit)
                    && stored.adjustmentData == edit.adjustmentData
                    && stored.files.map(\.description) == edit.files
                    && motion.map { $0 == edit.coversMotion } ?? true
            }
    }

    /// Returns whether the steps have the same extensions as these edits, in the same order.
    func haveExtensions(of edits: some Collection<Edit>) -> Bool {
        count == edits.count && zip(self, edits).allSatisfy { $0.hasExtension(of: $1) }
    }
}

extension ChainStep {
    fileprivate func hasExtension(of edit: Edit) -> Bool {
        stored.editingExtension?.identifier == edit.editingExtension?.identifier
            && stored.isEnabled == edit.isEnabled
    }
}
