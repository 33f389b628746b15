// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

extension AssetCollection {
    /// Creates a transient collection. Duplicate identifiers are ignored.
    init(transient identifiers: [String], title: String) {
        var seen: Set<String> = []
        let members = identifiers.filter { seen.insert($0).inserted }
        localIdentifier = UUID().uuidString.lowercased()
        self.title = title
        type = .transient
        subtype = .any
        estimatedAssetCount = members.count
        (startDate, endDate, approximateLocation) = (nil, nil, nil)
        (parentLocalIdentifier, keyAssetLocalIdentifier) = (nil, nil)
        isRemoved = false
        self.members = .identifiers(members)
    }
}
