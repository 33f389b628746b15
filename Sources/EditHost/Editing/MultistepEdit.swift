// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// Several new edits of an asset that are committed as one state.
struct MultistepEdit: Sendable {
    /// The preparation of each edit, from the bottom of the stack up.
    let preparations: [EditPreparation]
    let rendering: EditChainRendering

    /// Lets each extension write its recipe over the result of the edits below, and renders the stack once.
    ///
    /// - Throws: `HostError`, `LibraryError`, `CancellationError`.
    func prepare(_ identifier: String) async throws -> PreparedEdit {
        var history: AssetHistory?
        var kept = 0
        var rendering = rendering
        var steps: [ChainStep] = []
        var pictures: EditChainRendering.Pictures?
        for (index, preparation) in preparations.enumerated() {
            try preparation.cancellation.check()
            guard let known = history else {
                let edit = try await preparation.start(identifier)
                history = edit.history
                kept = edit.input.below.count
                rendering.stillOnly = !preparation.editsMotion(of: edit.input)
                let step = try await preparation.step(of: edit).step
                // There is nothing to commit, so the edit that would have been continued is kept unchanged.
                if step == nil, edit.continued != nil { kept += 1 }
                if let step { steps.append(step) }
                continue
            }
            let edit = try await preparation.start(
                known, keeping: kept, below: steps.compactMap(\.applied))
            let isLast = index == preparations.count - 1
            let given = try await preparation.step(of: edit) { step in
                isLast && !(steps + [step]).match(Array(known.chain[kept...]))
            }
            if let step = given.step { steps.append(step) }
            pictures = given.picture.map { ($0, [:]) }
        }
        guard let history else { throw CancellationError() }
        guard !steps.match(Array(history.chain[kept...])) else {
            return PreparedEdit(history)
        }
        return PreparedEdit(
            try await rendering.chain(kept, steps, of: history, rendered: pictures))
    }
}
