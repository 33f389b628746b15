// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

/// Where the bytes of a resource are, as far as can be told without opening a file.
public enum AssetResourceAvailability: String, Sendable {
    /// The library holds them.
    case stored
    /// They lie outside the library, where they were referenced, in the size that they had.
    case referenced
    /// They were referenced, and are not there.
    case away
    /// They were referenced, and what is there has another size.
    case changed
    /// They are nowhere: a version that has to be rendered, or a stored file that is lost.
    case absent

    /// Whether the bytes are here.
    public var isLocal: Bool { self == .stored || self == .referenced }
}

extension PhotoLibrary {
    /// Whether a resource's bytes are here, as far as can be told without opening a file: stored,
    /// or referenced and there in the size that they had. False for a version that has to be
    /// rendered.
    public func isLocallyAvailable(_ resource: AssetResource) -> Bool {
        availability(of: resource).isLocal
    }

    /// Where a resource's bytes are, as far as can be told without opening a file.
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

    /// Whether an asset's original is here; see ``isLocallyAvailable(_:)-(AssetResource)``.
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

    /// The identifiers of the assets whose originals lie outside the library and are away or of
    /// another size by now. No file is opened.
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

    /// Gives what lies outside the library, without facts. No transaction lasts while `body` runs.
    func forEachReferencedResource(_ body: (AssetResource) throws -> Void) throws {
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
