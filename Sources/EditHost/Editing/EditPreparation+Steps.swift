// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension EditPreparation {
    /// Opens a session over edits that are not in the library yet, and starts an edit.
    ///
    /// - Parameters:
    ///   - kept: The number of edits at the bottom of the asset's edit stack that stay.
    ///   - steps: The steps above them.
    /// - Returns: The edit. The caller must call ``StartedEdit/close()``.
    /// - Throws: `HostError`, `LibraryError`; in that case, no session is open.
    func start(
        _ history: AssetHistory, keeping kept: Int, below steps: [StatePlan.Step]
    ) async throws -> StartedEdit {
        let identifier = history.asset.localIdentifier
        do {
            try requireSupport(for: history)
            let recipe = try await recipe?.resolvingForeignNames(of: binary, host)
            var plan = try renderer.inputPlan(
                Array(history.chain.prefix(kept)), of: history, in: library)
            plan.steps += steps
            let input = try ContentEditingInput(history: history, placement: .appending)
            let session = try await session(with: plan.binaries)
            return try await closing(session, of: identifier) {
                try await start(session, input, plan, continuing: nil, from: recipe)
            }
        } catch {
            return try naming(identifier) { throw error }
        }
    }

    /// Finishes an edit and returns its recipe as a step, or nil if there is nothing to commit. Closes the edit.
    ///
    /// - Parameter wantsPicture: Returns whether the rendition is needed too. It is available only if the session has
    ///   its pixels.
    func step(
        of edit: StartedEdit, wantsPicture: (ChainStep) -> Bool = { _ in false }
    ) async throws -> (step: ChainStep?, picture: RenderedContent?) {
        let result: Result<(ChainStep?, RenderedContent?), any Error>
        do {
            let step = try await edit.step()
            var picture: RenderedContent?
            if let step, let new = step.applied, wantsPicture(step) {
                picture = try await edit.rendered(new)
            }
            edit.recyclePixels()
            result = .success((step, picture))
        } catch {
            result = .failure(error)
        }
        await edit.close()
        return try naming(edit.history.asset.localIdentifier) { try result.get() }
    }
}
