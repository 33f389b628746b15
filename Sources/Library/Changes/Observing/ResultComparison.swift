// SPDX-License-Identifier: Apache-2.0

import GRDB

/// Compares a fetch result with the current result of its fetch.
struct ResultComparison<Element: Sendable> {
    /// The maximum number of changed rows that are examined one by one.
    static var touchedLimit: Int { 10_000 }
    /// The maximum length of lists that are compared in full.
    static var comparedLimit: Int { 100_000 }

    let objects: FetchedObjects<Element>
    let before: FetchedObjects<Element>.Moment

    /// Rows changed according to the history.
    private struct Touched {
        /// Rows whose position may have changed.
        var rows: Set<Int64> = []
        /// Rows to be reported as changed.
        var changed: Set<Int64> = []
    }

    /// The current result, and its difference from the old one.
    private struct Outcome {
        let after: FetchedObjects<Element>.Moment
        let difference: ListDifference?
    }

    /// Returns the details; nil if nothing has changed.
    ///
    /// - Throws: `LibraryError`.
    func details(of result: FetchResult<Element>) throws -> FetchResultChangeDetails<Element>? {
        let outcome = try objects.library.read(outcome)
        if outcome.difference?.isEmpty == true {
            objects.advance(to: outcome.after.token)
            return nil
        }
        return FetchResultChangeDetails(
            fetchResultBeforeChanges: result,
            fetchResultAfterChanges: FetchResult(
                FetchedObjects(
                    objects.query, in: objects.library, isIncremental: objects.isIncremental,
                    moment: outcome.after)),
            difference: outcome.difference)
    }

    private func outcome(_ database: Database) throws -> Outcome {
        let token = try ChangeTransaction.lastNumber(database)
        let touched = objects.isIncremental ? try touched(database) : nil
        if let touched, let update = try update(touched, database) {
            let difference = ListDifference(
                from: before.list, to: update.list, removed: update.removed,
                inserted: update.inserted, moved: update.moved, changed: touched.changed)
            return Outcome(after: .init(list: update.list, token: token), difference: difference)
        }
        let list = try objects.query.identifiers(database)
        let isShort = max(before.list.count, list.count) <= Self.comparedLimit
        return Outcome(
            after: .init(list: list, token: token),
            difference: touched.flatMap { touched in
                isShort
                    ? ListDifference(from: before.list, to: list, changed: touched.changed) : nil
            })
    }

    private func update(_ touched: Touched, _ database: Database) throws -> ListUpdate? {
        if let album = objects.query.album, try isGone(album, database) { return nil }
        return try ListUpdate(
            before.list, touched: touched.rows, query: objects.query, database)
    }

    /// Returns the rows changed since the result was fetched; nil if there are too many, or the
    /// history does not reach back to the fetch.
    private func touched(_ database: Database) throws -> Touched? {
        let forgotten = try database.value(
            "SELECT last_forgotten_token FROM library", as: Int64.self)
        guard let forgotten, forgotten <= before.token else { return nil }
        var touched = Touched()
        guard try addItems(to: &touched, database), try addMembers(to: &touched, database),
            touched.rows.count <= Self.touchedLimit
        else { return nil }
        return touched
    }

    /// Adds changed rows. Returns whether all of them fit into the limit.
    private func addItems(to touched: inout Touched, _ database: Database) throws -> Bool {
        let isAsset = objects.query.objectType == .asset
        let items = try database.records(
            """
            SELECT object_id, is_metadata FROM change_item
            WHERE token > ? AND object_type = ? LIMIT ?
            """,
            [before.token, objects.query.objectType.rawValue, Self.touchedLimit * 2 + 1]
        ) { (row: try $0.rowNumber(0), isMetadata: try $0.value(1, as: Bool.self)) }
        for item in items {
            touched.rows.insert(item.row)
            // A change of members is not a change of the collection itself.
            if isAsset || item.isMetadata { touched.changed.insert(item.row) }
        }
        return items.count <= Self.touchedLimit * 2
    }

    /// Adds members that joined, left or moved in an album. Returns whether all of them fit into
    /// the limit.
    private func addMembers(to touched: inout Touched, _ database: Database) throws -> Bool {
        guard let album = objects.query.album else { return true }
        let members = try database.records(
            "SELECT asset_id FROM change_member WHERE token > ? AND album_id = ? LIMIT ?",
            [before.token, album, Self.touchedLimit * 2]
        ) { try $0.rowNumber(0) }
        touched.rows.formUnion(members)
        return members.count < Self.touchedLimit * 2
    }

    private func isGone(_ album: Int64, _ database: Database) throws -> Bool {
        try database.value(
            "SELECT NOT EXISTS (SELECT 1 FROM collection WHERE id = ?)", [album]) ?? true
    }
}
