// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost

/// Several new edits of an asset that are committed as one state.
struct MultistepEdit: Sendable {
    /// The preparation of each edit, from the bottom of the stack up.
    let preparations: [EditPreparation]
    let options: EditCopyOptions
    let rendering: EditChainRendering

    /// Lets each extension write its recipe over the result of the edits below, and renders the stack once.
    ///
    /// - Throws: `HostError`, `LibraryError`, `CancellationError`.
    func prepare(_ identifier: String) async throws -> PreparedEdit {
        let history = try rendering.library.history(ofAsset: identifier)
        if try await isRepeated(history) { return PreparedEdit(unchanged: history) }
        var kept = 0
        var rendering = rendering
        var steps: [ChainStep] = []
        var pictures: EditChainRendering.Pictures?
        for (index, preparation) in preparations.enumerated() {
            try preparation.cancellation.check()
            if index == 0, !options.replacesEdits {
                let edit = try await preparation.start(history)
                kept = edit.input.below.count
                rendering.stillOnly = !preparation.editsMotion(of: edit.input)
                let step = try await preparation.step(of: edit).step
                // There is nothing to commit, so the edit that would have been continued is kept unchanged.
                if step == nil, edit.continued != nil { kept += 1 }
                if let step { steps.append(step) }
                continue
            }
            if index == 0 { rendering.stillOnly = !preparation.editsMotion(of: history, above: []) }
            let edit = try await preparation.start(
                history, keeping: kept, below: steps.compactMap(\.applied))
            let isLast = index == preparations.count - 1
            let given = try await preparation.step(of: edit) { step in
                isLast && !isDone(steps + [step], history, kept, rendering)
            }
            if let step = given.step { steps.append(step) }
            pictures = given.picture.map { ($0, [:]) }
        }
        if isDone(steps, history, kept, rendering) { return PreparedEdit(unchanged: history) }
        guard kept > 0 || !steps.isEmpty else {
            throw HostError(
                .badRequest, "that would remove all edits; use \"edithost revert\"",
                asset: identifier)
        }
        return PreparedEdit(
            try await rendering.chain(kept, steps, of: history, rendered: pictures), of: history)
    }

    /// Returns whether the edits of an asset above the kept ones are these steps.
    private func isDone(
        _ steps: [ChainStep], _ history: AssetHistory, _ kept: Int, _ rendering: EditChainRendering
    ) -> Bool {
        steps.match(
            history.chain[kept...],
            editingMotion: history.pairedVideo == nil ? nil : !rendering.stillOnly)
    }

    /// Returns whether the last edits of an asset are those that the same requests have made: the first extension,
    /// continuing the lowest of them, and the others above it write the same recipes.
    ///
    /// - Throws: `HostError` with `cancelled`, `CancellationError`. After any other error, the answer is no, because
    ///   the edit that follows reports it.
    private func isRepeated(_ history: AssetHistory) async throws -> Bool {
        let kept = history.chain.count - preparations.count
        // A single edit continues the last one anyway.
        guard preparations.count > 1, kept >= 0, !options.replacesEdits, !options.repeatsEdits
        else { return false }
        let present = history.chain[kept...]
        let extensions = preparations.map(\.binary.manifest.identifier)
        guard extensions == present.map(\.editingExtension?.identifier),
            present.allSatisfy(\.isEnabled)
        else { return false }
        var rendering = rendering
        rendering.stillOnly = !preparations[0].editsMotion(
            of: history, above: history.chain.prefix(kept))
        var steps: [ChainStep] = []
        do {
            for var preparation in preparations {
                try preparation.cancellation.check()
                if steps.isEmpty { preparation.request.step = kept + 1 }
                let edit =
                    steps.isEmpty
                    ? try await preparation.start(history)
                    : try await preparation.start(
                        history, keeping: kept, below: steps.compactMap(\.applied))
                guard let step = try await preparation.step(of: edit).step,
                    [step].match([history.chain[kept + steps.count]], editingMotion: nil)
                else { return false }
                steps.append(step)
            }
        } catch let error as HostError where error.code != .cancelled {
            return false
        } catch is LibraryError {
            return false
        }
        return isDone(steps, history, kept, rendering)
    }
}
