// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost

/// Deciding whether an edit continues an earlier one, or is added to the stack.
extension EditPreparation {
    /// Returns the edit whose recipe the new one may continue.
    func target(in history: AssetHistory) throws -> Edit? {
        if request.appends { return nil }
        guard let step = request.step else {
            return history.chain.last.flatMap { $0.isEnabled ? $0 : nil }
        }
        guard (1...max(1, history.chain.count)).contains(step), !history.chain.isEmpty else {
            throw HostError(
                .badRequest,
                "there is no edit \(step); the photo has "
                    + "\(history.chain.count == 1 ? "1 edit" : "\(history.chain.count) edits")")
        }
        return history.chain[step - 1]
    }

    /// Opens a session and asks the extension about the recipe. A crash or a timeout counts as "no", and a new session
    /// is opened.
    func open(
        _ history: AssetHistory, asking target: Edit?
    ) async throws -> (ControllerSession, continues: Bool) {
        let below = runnableBinaries(of: history.chain)
        let session = try await session(with: below)
        guard let target else { return (session, false) }
        let continues: Bool
        do {
            continues = try await session.canHandle(target.adjustmentData)
        } catch {
            await session.close()
            try cancellation.check()
            host.logger.warning(
                """
                \(binary.manifest.identifier) failed in can_handle, so the edit is not continued: \
                \(error)
                """)
            try requireContinuation(false, of: target)
            return (try await self.session(with: below), false)
        }
        do {
            try requireContinuation(continues, of: target)
        } catch {
            await session.close()
            throw error
        }
        return (session, continues)
    }

    /// Throws an error if an edit is reopened by its number and the extension cannot continue it.
    private func requireContinuation(_ continues: Bool, of target: Edit) throws {
        guard let step = request.step, !continues else { return }
        let author = target.editingExtension?.identifier ?? "an application"
        throw HostError(
            .cannotRender,
            "\(binary.manifest.identifier) cannot continue edit \(step), made by \(author) "
                + "in the format \(target.adjustmentData.formatIdentifier)",
            extension: binary.manifest.identifier)
    }

    /// Returns the input of the edit: the state below the edit that it continues, or the current one.
    ///
    /// If the state below needs the original of a video and that is unavailable, the input is the current version. The
    /// new edit is then added instead of continuing the earlier one, because otherwise its recipe would be applied a
    /// second time.
    func input(
        continuing continued: Edit?, in history: AssetHistory
    ) throws -> ContentEditingInput {
        let input = try ContentEditingInput(
            history: history, placement: placement(continuing: continued, in: history))
        guard continued != nil, request.step == nil,
            try renderer.currentVideo(
                insteadOf: planner.plan(input.below, of: history), of: history, in: library)
                != nil
        else { return input }
        return try ContentEditingInput(history: history, placement: .appending)
    }

    private func placement(
        continuing continued: Edit?, in history: AssetHistory
    ) -> ContentEditingInput.Placement {
        guard continued != nil else { return .appending }
        guard let step = request.step, step != history.chain.count else { return .replacingLast }
        return .reopening(step: step)
    }
}
