// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

extension PhotoLibrary {
    /// Returns whether the content of a resource can be read on this machine, judged without
    /// opening a file. It must be stored, or in a referenced file of the expected size. False for a
    /// version that has yet to be rendered.
    public func isLocallyAvailable(_ resource: AssetResource) -> Bool {
        availability(of: resource).isLocal
    }

    /// Returns the location of a resource's content without opening a file.
    public func availability(of resource: AssetResource) -> AssetResourceAvailability {
        if case .inFile(let file, _) = resource.embedding { return availability(of: file) }
        if let blob = resource.blob { return containsBlob(blob) ? .stored : .absent }
        guard resource.url != nil else { return .absent }
        return switch ReferencedOriginal(resource).stateByStatus {
        case .present: .referenced
        case .away: .away
        case .changed: .changed
        }
    }

    /// Returns whether an asset's original can be read on this machine; see
    /// ``isLocallyAvailable(_:)-(AssetResource)``.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset`.
    public func isLocallyAvailable(_ asset: Asset) throws -> Bool {
        let resource = try read { database in
            try database.record(
                "\(AssetResource.query) WHERE asset.uuid = ? AND is_primary = 1",
                [asset.localIdentifier], AssetResource.init(row:))
        }
        guard let resource else { throw LibraryError.noSuchAsset(asset.localIdentifier) }
        return isLocallyAvailable(resource)
    }

    /// Returns the identifiers of the assets with a referenced original that is missing or has a
    /// different size. No file is opened.
    ///
    /// - Throws: `LibraryError`.
    package func identifiersOfAssetsAway() throws -> [String] {
        var identifiers: [String] = []
        try forEachReferencedResource { resource in
            if resource.isPrimary, !isLocallyAvailable(resource) {
                identifiers.append(resource.assetLocalIdentifier)
            }
        }
        return identifiers
    }

    /// Returns the row ids of the assets of ``identifiersOfAssetsAway()``.
    ///
    /// - Throws: `LibraryError`.
    func rowsOfAssetsAway() throws -> Set<Int64> {
        let identifiers = try identifiersOfAssetsAway()
        return identifiers.isEmpty ? [] : Set(try assetRows(of: identifiers))
    }

    /// Calls `body` with each referenced resource, without its facts. No transaction is open while
    /// `body` runs.
    func forEachReferencedResource(_ body: (AssetResource) throws -> Void) throws {
        // Most libraries have none, and the loop would read the whole table.
        let hasAny = try read {
            try $0.value(
                "SELECT EXISTS(SELECT 1 FROM resource WHERE url IS NOT NULL)", as: Bool.self)
        }
        guard hasAny == true else { return }
        var last: Int64 = 0
        while true {
            let found = try read { database in
                try database.records(
                    """
                    \(AssetResource.queryWithoutFacts)
                    WHERE url IS NOT NULL AND resource.id > ? ORDER BY resource.id LIMIT 1000
                    """,
                    [last]
                ) { (resource: try AssetResource(row: $0), id: try $0.rowNumber(11)) }
            }
            guard let end = found.last?.id else { return }
            for (resource, _) in found { try body(resource) }
            last = end
        }
    }
}
