// SPDX-License-Identifier: Apache-2.0

import GRDB

extension CollectionList {
    /// Creates a folder from a row with the columns of ``PhotoCollection``.
    init(row: Row) throws {
        self.row = try row.rowNumber(0)
        localIdentifier = try row.value(1)
        title = try row.value(3)
        parentLocalIdentifier = try row.value(4)
        isRemoved = false
    }

    /// Creates a placeholder for a folder that was deleted before its row was read.
    init(removed identifier: String) {
        row = 0
        localIdentifier = identifier
        title = ""
        parentLocalIdentifier = nil
        isRemoved = true
    }
}
