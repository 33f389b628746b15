// SPDX-License-Identifier: Apache-2.0

import GRDB

extension AssetCollection {
    /// Creates an album from a row with the columns of ``PhotoCollection``.
    init(row: Row) throws {
        localIdentifier = try row.value(1)
        title = try row.value(3)
        type = .album
        subtype = .albumRegular
        estimatedAssetCount = try row.value(6, as: Int.self)
        (startDate, endDate, approximateLocation) = (nil, nil, nil)
        parentLocalIdentifier = try row.value(4)
        keyAssetLocalIdentifier = try row.value(5)
        isRemoved = false
        members = .album(try row.rowNumber(0))
    }

    /// Creates a placeholder for an album that was deleted before its row was read.
    init(removed identifier: String) {
        localIdentifier = identifier
        title = ""
        type = .album
        subtype = .albumRegular
        estimatedAssetCount = nil
        (startDate, endDate, approximateLocation) = (nil, nil, nil)
        parentLocalIdentifier = nil
        keyAssetLocalIdentifier = nil
        isRemoved = true
        members = .identifiers([])
    }
}
