// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

extension PhotoLibrary {
    /// The changes that were committed after a token, by anybody, in their order.
    ///
    /// - Throws: `LibraryError`.
    public func changes(since token: ChangeToken) throws -> [Change] {
        try read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT change.token, date, object_type, object_uuid, kind, is_content,
                        is_metadata
                    FROM change JOIN change_item ON change_item.token = change.token
                    WHERE change.token > ? ORDER BY change.token, object_type, object_uuid
                    """,
                arguments: [token.rawValue])
            var changes: [Change] = []
            for row in rows { Self.append(row, to: &changes) }
            return changes
        }
    }

    private static func append(_ row: Row, to changes: inout [Change]) {
        guard let type = Change.ObjectType(rawValue: row[2]),
            let kind = Change.Kind(rawValue: row[4])
        else { return }
        let token = ChangeToken(rawValue: row[0])
        let item = Change.Item(
            kind: kind, objectType: type, identifier: row[3], isContentChange: row[5],
            isMetadataChange: row[6])
        let before = changes.last?.token == token ? changes.removeLast().items : []
        changes.append(
            Change(token: token, date: Date(microseconds: row[1]), items: before + [item]))
    }
}
