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
    func render(_ identifier: String) async throws -> RenderedEditChain {
        var history: AssetHistory?
        var kept = 0
        var stillOnly: Bool?
        var steps: [ChainStep] = []
        var picture: RenderedContent?
        for (index, preparation) in preparations.enumerated() {
            try preparation.cancellation.check()
            guard let known = history else {
                let edit = try await preparation.start(identifier)
                history = edit.history
                kept = edit.input.below.count
                stillOnly = !preparation.editsMotion(of: edit.input)
                let step = try await preparation.step(of: edit).step
                // Nothing to commit: the edit that it continues stays as it is.
                if step == nil, edit.continued != nil { kept += 1 }
                if let step { steps.append(step) }
                continue
            }
            let edit = try await preparation.start(
                known, keeping: kept, below: steps.compactMap(\.applied))
            let isLast = index == preparations.count - 1
            let given = try await preparation.step(of: edit) { step in
                isLast && !(steps + [step]).areThose(of: Array(known.chain[kept...]))
            }
            if let step = given.step { steps.append(step) }
            picture = given.picture
        }
        guard let history else { throw CancellationError() }
        guard !steps.areThose(of: Array(history.chain[kept...])) else {
            return RenderedEditChain(history: history)
        }
        return RenderedEditChain(
            history: history,
            chain: try await rendering.chain(
                kept, steps, of: history, rendered: picture, stillOnly: stillOnly))
    }
}
