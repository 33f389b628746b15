// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The difference between a fetch result and the current result of the same fetch.
///
/// To update a list, apply these steps in order:
///
/// 1. Remove the objects at ``removedIndexes``, which refer to the original list.
/// 2. Insert the objects at ``insertedIndexes``, which refer to the list after removals and
///    insertions.
/// 3. Perform the moves in order, see ``enumerateMoves(_:)``.
///
/// ``changedIndexes`` refer to the final list. Do not mix them with the other steps.
public struct FetchResultChangeDetails<Element: Sendable>: Sendable {
    /// The maximum number of changed objects for which the difference is computed: 10,000.
    public static var incrementalLimit: Int { ResultComparison<Element>.touchedLimit }

    /// The result passed by the caller.
    public let fetchResultBeforeChanges: FetchResult<Element>
    /// The current result of the same fetch. Keep it, and pass it to the next change.
    public let fetchResultAfterChanges: FetchResult<Element>
    /// The difference; nil if it was not computed.
    let difference: ListDifference?

    /// True if the difference was computed. If false, replace the old result as a whole.
    public var hasIncrementalChanges: Bool { difference != nil }
    /// The indexes of removed objects in the old result; nil without incremental changes.
    public var removedIndexes: IndexSet? { difference.map { IndexSet($0.removed) } }
    /// The indexes of inserted objects in the list after removals and insertions, before moves; nil
    /// without incremental changes.
    public var insertedIndexes: IndexSet? { difference.map { IndexSet($0.inserted) } }
    /// The indexes, in the new result, of changed objects that are in both results; nil without
    /// incremental changes.
    public var changedIndexes: IndexSet? { difference.map { IndexSet($0.changed) } }
    /// True if the remaining objects have been reordered.
    public var hasMoves: Bool { difference?.moves.isEmpty == false }

    /// The removed objects as last read; objects never read are placeholders without metadata.
    public var removedObjects: [Element] {
        difference?.removed.map { fetchResultBeforeChanges[$0] } ?? []
    }
    /// The inserted objects.
    public var insertedObjects: [Element] {
        (difference?.insertedAfter ?? []).map { fetchResultAfterChanges[$0] }
    }
    /// The current versions of the changed objects.
    public var changedObjects: [Element] {
        difference?.changed.map { fetchResultAfterChanges[$0] } ?? []
    }

    /// Calls `body` for every moved object, in the order in which to perform the moves. Each move
    /// removes the object at `from`, in the list left by the previous moves, and inserts it at
    /// `to`, in the list without it.
    public func enumerateMoves(_ body: (_ from: Int, _ to: Int) throws -> Void) rethrows {
        for move in difference?.moves ?? [] { try body(move.from, move.to) }
    }
}
