// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

extension CollectionSortDescriptor {
    /// The number of assets of an album; NULL for a folder.
    static let countColumn = "CASE kind WHEN 'album' THEN \(PhotoCollection.memberCount) END"

    /// The SQL term, or nil for dates, which neither albums nor folders have.
    var term: SortTerm? {
        switch key {
        case .localizedTitle:
            SortTerm(column: "title", isAscending: isAscending, ignoresCase: true)
        case .startDate, .endDate: nil
        case .estimatedAssetCount:
            SortTerm(
                column: "coalesce(\(Self.countColumn), \(Int64.max))", isAscending: isAscending)
        }
    }
}
