// SPDX-License-Identifier: Apache-2.0

import GRDB

extension PersistentChange.Item {
    /// The columns that `init(_:from:)` reads.
    static let columns = "object_type, object_uuid, kind, is_content, is_metadata"

    /// Reads `columns` from a row, starting at an index.
    init(_ row: Row, from index: Int) throws {
        self.init(
            kind: try row.value(index + 2), objectType: try row.value(index),
            identifier: try row.value(index + 1), isContentChange: try row.value(index + 3),
            isMetadataChange: try row.value(index + 4))
    }
}

extension PersistentChange.ObjectType: StoredRawValue {}

extension PersistentChange.Kind: StoredRawValue {}
