// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

extension PhotoLibrary {
    /// Opens an original, or another stored file of an asset, wherever its bytes are.
    ///
    /// Of a file that was referenced, size and time are compared with those that it had; where the
    /// time is another one, it is read, and its hash compared.
    ///
    /// - Throws: `LibraryError`: `blobMissing`, `cannotRead`; of a referenced file
    ///   `originalMissing` where it is away, `referencedFileChanged` where it is another one.
    public func openOriginal(_ resource: AssetResource) throws -> OpenFile {
        if let blob = resource.blob {
            return try openBlob(blob, ofAsset: resource.assetLocalIdentifier)
        }
        return try ReferencedOriginal(resource).open()
    }

    /// Whether a resource's bytes are here, as far as can be told without opening a file: stored,
    /// or referenced and there in the size that they had. False for a version that has to be
    /// rendered.
    public func isLocallyAvailable(_ resource: AssetResource) -> Bool {
        availability(of: resource).isLocal
    }

    /// Where a resource's bytes are, as far as can be told without opening a file.
    public func availability(of resource: AssetResource) -> AssetResourceAvailability {
        if let blob = resource.blob { return containsBlob(blob) ? .stored : .absent }
        guard resource.url != nil else { return .absent }
        return switch ReferencedOriginal(resource).stateByStatus {
        case .present: .referenced
        case .away: .away
        case .changed: .changed
        }
    }

    /// Whether an asset's original is here; see ``isLocallyAvailable(_:)-(AssetResource)``.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset`.
    public func isLocallyAvailable(_ asset: Asset) throws -> Bool {
        let resource = try read { database in
            try Row.fetchOne(
                database,
                sql: "\(AssetResource.query) WHERE asset.uuid = ? AND is_primary = 1",
                arguments: [asset.localIdentifier]
            ).map(AssetResource.init(row:))
        }
        guard let resource else { throw LibraryError.noSuchAsset(asset.localIdentifier) }
        return isLocallyAvailable(resource)
    }

    /// The identifiers of the assets whose originals lie outside the library and are away or of
    /// another size by now. No file is opened.
    ///
    /// - Throws: `LibraryError`.
    public func identifiersOfAssetsAway() throws -> [String] {
        var identifiers: [String] = []
        try forEachReferencedResource { resource in
            if resource.isPrimary, !isLocallyAvailable(resource) {
                identifiers.append(resource.assetLocalIdentifier)
            }
        }
        return identifiers
    }

    /// Gives what lies outside the library, without facts. No transaction lasts while `body` runs.
    func forEachReferencedResource(_ body: (AssetResource) throws -> Void) throws {
        var last: Int64 = 0
        while true {
            let rows = try read { database in
                try Row.fetchAll(
                    database,
                    sql: """
                        \(AssetResource.queryWithoutFacts)
                        WHERE url IS NOT NULL AND resource.id > ? ORDER BY resource.id LIMIT 1000
                        """,
                    arguments: [last])
            }
            guard let row = rows.last else { return }
            for row in rows { try body(AssetResource(row: row)) }
            last = row[11]
        }
    }
}
