// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How a fetch result differs from what the same fetch finds now.
///
/// To bring a list up to date, take out what is at the ``removedIndexes`` of the list as it was,
/// put in what is at the ``insertedIndexes`` of the list without those, and then do the moves in
/// their order. ``changedIndexes`` are places in the finished list: do not mix them into the
/// other steps.
public struct FetchResultChangeDetails<Element: Sendable>: Sendable {
    /// So many objects may have changed for the difference to be told one by one: 10,000.
    public static var incrementalLimit: Int { ResultComparison<Element>.touchedLimit }

    /// The result that was asked about.
    public let fetchResultBeforeChanges: FetchResult<Element>
    /// What the same fetch finds now. Keep it, and ask the next change about it.
    public let fetchResultAfterChanges: FetchResult<Element>
    /// The difference; nil where it is not told.
    let difference: ListDifference?

    /// Whether the difference is told. If not, take the new result as a whole.
    public var hasIncrementalChanges: Bool { difference != nil }
    /// The places, in the result before, of what is not in it any more; nil without incremental
    /// changes.
    public var removedIndexes: IndexSet? { difference.map { IndexSet($0.removed) } }
    /// The places of what is new, once the removed objects are out and these are in; nil without
    /// incremental changes.
    public var insertedIndexes: IndexSet? { difference.map { IndexSet($0.inserted) } }
    /// The places, in the result after, of what was and is in it and has changed; nil without
    /// incremental changes.
    public var changedIndexes: IndexSet? { difference.map { IndexSet($0.changed) } }
    /// Whether objects that stay are in another order.
    public var hasMoves: Bool { difference?.moves.isEmpty == false }

    /// The removed objects, as they were read last; else remnants.
    public var removedObjects: [Element] {
        difference?.removed.map { fetchResultBeforeChanges[$0] } ?? []
    }
    /// The new objects.
    public var insertedObjects: [Element] {
        (difference?.insertedAfter ?? []).map { fetchResultAfterChanges[$0] }
    }
    /// The changed objects as they are now.
    public var changedObjects: [Element] {
        difference?.changed.map { fetchResultAfterChanges[$0] } ?? []
    }

    /// Runs `body` for every object that moved, in the order in which the moves are to be done:
    /// each takes the object at `from` out of the list as the moves before it left it, and puts
    /// it at `to` of the list without it.
    public func enumerateMoves(_ body: (_ from: Int, _ to: Int) throws -> Void) rethrows {
        for move in difference?.moves ?? [] { try body(move.from, move.to) }
    }
}
