// SPDX-License-Identifier: Apache-2.0

import EditHost
import JSONOutput
import Library

extension CommandOutput {
    /// Returns the line about the state of an asset after an undo, redo or revert.
    ///
    /// - Parameter unmoved: The text if the asset was not moved.
    func line(of move: EditResult, unmoved: String) throws -> OutcomeLine {
        let history = move.history
        let identifier = move.assetIdentifier
        let tip = history.chain.last
        let short = ShortIdentifier.of(identifier)
        let undone = history.states.count - history.position
        let unmoved =
            undone > 0
            ? "\(unmoved); \"redo\" restores \(undone.counted("state"))"
            : unmoved
        let line = try line(
            history.positionRow,
            move.hasChanged
                ? "\(short)  now in state \(history.position) of \(history.states.count)"
                    + (tip.map { ", last edited with \($0.author)" } ?? ", the original")
                : "\(short)  \(unmoved)")
        return OutcomeLine(
            assetIdentifier: identifier, hasChanged: move.hasChanged, line: line,
            messages: isJSON && !move.hasChanged ? ["\(identifier): \(unmoved)"] : [])
    }
}
