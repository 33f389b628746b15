// SPDX-License-Identifier: Apache-2.0

import EditHost
import JSONOutput
import Library

extension CommandOutput {
    /// Prints the state of an asset after an undo, redo or revert.
    func print(_ move: EditResult, unmoved: String) throws {
        let history = move.history
        let identifier = history.asset.localIdentifier
        let tip = history.chain.last
        let short = ShortIdentifier.of(identifier)
        let undone = history.states.count - history.position
        let unmoved =
            undone > 0
            ? "\(unmoved); \"redo\" restores \(undone.counted("state"))"
            : unmoved
        try print(
            history.positionRow,
            move.hasChanged
                ? "\(short)  now in state \(history.position) of \(history.states.count)"
                    + (tip.map { ", last edited with \($0.author)" } ?? ", the original")
                : "\(short)  \(unmoved)")
        if isJSON, !move.hasChanged { message("\(identifier): \(unmoved)") }
    }
}
