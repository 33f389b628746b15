// SPDX-License-Identifier: Apache-2.0

import GRDB

extension PhotoLibrary {
    /// The assets that one change edited or reverted.
    package struct LastEdits: Sendable {
        /// The assets that are still in the state that the change made.
        package let identifiers: [String]
        /// The content generations of these assets.
        package let generations: [String: Int]
        /// The number of assets whose content has changed since, or that are in the trash.
        package let laterCount: Int
    }

    /// Returns the assets of the last change before version 17 that edited or reverted any, and that
    /// is not undone for all of them; nil if the history of changes has none. Later changes have
    /// values in the journal.
    ///
    /// - Throws: `LibraryError` if the database cannot be read.
    package func lastEdits() throws -> LastEdits? {
        try read { database in
            // The date of a state is that of the change that made it.
            let token = try database.record(
                """
                SELECT max(token) FROM change JOIN (
                    SELECT coalesce(state.created, reverted_date) AS made, uuid FROM asset
                    LEFT JOIN state ON asset_id = asset.id AND state.position = asset.position
                    WHERE trashed_date IS NULL
                        AND (asset.position IS NOT NULL OR reverted_date IS NOT NULL)
                ) ON made = date
                WHERE EXISTS (SELECT 1 FROM change_item WHERE change_item.token = change.token
                    AND object_type = 'asset' AND object_uuid = uuid AND is_content = 1)
                AND NOT EXISTS (SELECT 1 FROM change_value WHERE change_value.token = change.token)
                """
            ) { try $0.value(0, as: Int64?.self) }
            guard let token = token ?? nil else { return nil }
            let assets = try database.records(
                """
                SELECT uuid, trashed_date IS NULL
                    AND coalesce(state.created, reverted_date) IS date, generation FROM change
                JOIN change_item ON change_item.token = change.token
                JOIN asset ON uuid = object_uuid
                LEFT JOIN state ON asset_id = asset.id AND state.position = asset.position
                WHERE change.token = ? AND object_type = 'asset' AND is_content = 1
                ORDER BY asset.id
                """, [token]
            ) { row in
                (
                    identifier: try row.value(0, as: String.self),
                    isCurrent: try row.value(1, as: Bool.self),
                    generation: try row.value(2, as: Int.self)
                )
            }
            let current = assets.filter(\.isCurrent)
            return LastEdits(
                identifiers: current.map(\.identifier),
                generations: Dictionary(
                    current.map { ($0.identifier, $0.generation) }, uniquingKeysWith: { $1 }),
                laterCount: assets.count - current.count)
        }
    }
}
