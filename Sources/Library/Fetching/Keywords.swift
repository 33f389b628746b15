// SPDX-License-Identifier: Apache-2.0

import GRDB

/// Database access to keywords.
enum Keywords {
    /// Returns the keywords of a row, in byte order.
    static func fetch(ofRow id: Int64, _ database: Database) throws -> [String] {
        try database.values("SELECT text FROM keyword WHERE asset_id = ? ORDER BY text", [id])
    }
}
