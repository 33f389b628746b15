// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

extension Pruning {
    /// Removes the assets that have been in the trash for longer than ``TrashPeriod``.
    mutating func removeTrashedAssets(_ database: Database) throws {
        let now = Date()
        let limit = now.addingTimeInterval(-Double(TrashPeriod.days) * 86_400)
        let expired: [String] = try database.values(
            "SELECT uuid FROM asset WHERE trashed_date IS NOT NULL AND trashed_date < ?",
            [limit.microseconds])
        let executor = ChangeExecutor(database: database, store: store, date: now)
        for identifier in expired { try executor.assets.remove(identifier) }
        _ = try executor.finish(author)
        report.assetCount = expired.count
    }
}
