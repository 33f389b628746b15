// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import Synchronization

extension Importer {
    /// Creates the asset, or returns the one created concurrently by another process.
    func commit(
        _ file: StagedFile, _ companions: [StagedFile], _ facts: PhotoFacts?,
        _ format: MediaFormat, _ warnings: [String]
    ) async throws -> [ImportResult] {
        let made = Mutex<AssetCreationRequest?>(nil)
        try await library.performChanges {
            let request = try AssetCreationRequest(mediaType: format.mediaType)
            for (index, file) in ([file] + companions).enumerated() {
                let facts = index == 0 ? facts : file.facts
                if let reference = file.reference {
                    try request.addResource(
                        file.type, reference: reference, filename: file.filename, facts: facts)
                } else {
                    try request.addResource(
                        file.type, blob: file.staged, filename: file.filename, facts: facts)
                }
            }
            request.fileDate = file.date
            made.withLock { $0 = request }
        }
        let created = made.withLock { $0 }
        var identifier = created?.placeholderForCreatedAsset.localIdentifier
        var status = ImportResult.Status.imported
        switch created?.result {
        case .duplicate(let existing): (identifier, status) = (existing, .duplicate)
        case .restored(let existing): (identifier, status) = (existing, .restored)
        case .created, nil: break
        }
        var primary = file.result(status, of: identifier)
        primary.warnings = warnings
        return [primary] + companions.map { $0.result(.imported, of: identifier) }
    }

    /// Adds the companions that an asset lacks, and sets values from new sidecars that the asset does not have.
    func add(
        _ companions: [StagedFile], of file: StagedFile, _ format: MediaFormat, to asset: Asset
    ) async throws -> [ImportResult] {
        let known = try library.history(ofAsset: asset.localIdentifier).originals
        let isNew = companions.map { companion in
            !known.contains {
                $0.type == companion.type && $0.contentHash == companion.staged.hash
                    && library.isLocallyAvailable($0)
            }
        }
        let news = zip(companions, isNew).filter(\.1).map(\.0)
        if !news.isEmpty {
            let sidecars = try Self.sidecars(news, of: file).map { try $0.staged.open() }
            let facts =
                sidecars.isEmpty
                ? nil
                : try await pool.read(
                    file.staged.open(), format, sidecars: sidecars)?.facts
            let keywords = try asset.keywords(in: library)
            try await library.performChanges {
                let request = try AssetChangeRequest(for: asset)
                if let facts { try request.complete(with: facts, keywords: keywords) }
                for companion in news {
                    try request.add(companion)
                }
            }
        }
        let identifier = asset.localIdentifier
        var primary = file.result(.duplicate, of: identifier)
        if readsAgain {
            primary = try await readAgain(asset, as: file.path)
            primary.resourceType = file.type
        }
        return [primary]
            + zip(companions, isNew).map {
                $0.result($1 ? .imported : .duplicate, of: identifier)
            }
    }
}

extension Importer.StagedFile {
    func result(
        _ status: ImportResult.Status, of asset: String?, as type: AssetResourceType? = nil
    ) -> ImportResult {
        ImportResult(
            path: path, assetIdentifier: asset, resourceType: type ?? self.type, status: status)
    }
}
