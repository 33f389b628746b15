// SPDX-License-Identifier: Apache-2.0

import JSONOutput
import Library

/// The JSON of the changes to a view.
enum ViewEvent {
    /// Returns the positions that have changed, in the order in which to apply them: removals, insertions, moves. If
    /// they were not computed, `removed` and the others are null, and the page fetches the view again.
    static func row(
        of details: FetchResultChangeDetails<Asset>, view: String, token: ChangeToken
    ) -> JSONRow {
        var moves: [[Int]] = []
        details.enumerateMoves { moves.append([$0, $1]) }
        let isIncremental = details.hasIncrementalChanges
        return [
            "view": view,
            "count": details.fetchResultAfterChanges.count,
            "removed": details.removedIndexes.map { Array($0) },
            "inserted": details.insertedIndexes.map { Array($0) },
            "changed": details.changedIndexes.map { Array($0) },
            "moves": isIncremental ? moves : nil,
            "token": "\(token)",
        ]
    }
}
