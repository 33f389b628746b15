// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import Synchronization

extension Importer {
    /// Makes the asset, or finds the one that somebody else has made meanwhile.
    func commit(
        _ file: StagedFile, _ companions: [StagedFile], _ facts: PhotoFacts, _ warnings: [String]
    ) async throws -> [ImportResult] {
        let made = Mutex<AssetCreationRequest?>(nil)
        try await library.performChanges {
            let request = try AssetCreationRequest(mediaType: .image)
            for file in [file] + companions {
                let facts = file.type == .photo ? facts : nil
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
        if case .duplicate(let existing) = created?.result {
            (identifier, status) = (existing, .duplicate)
        }
        var primary = file.result(status, of: identifier)
        primary.warnings = warnings
        return [primary] + companions.map { $0.result(.imported, of: identifier) }
    }

    /// Adds the companions that an asset does not have yet.
    func add(
        _ companions: [StagedFile], of file: StagedFile, to asset: Asset
    ) async throws -> [ImportResult] {
        let known = try library.history(ofAsset: asset.localIdentifier).originals
        let isNew = companions.map { companion in
            !known.contains {
                $0.type == companion.type && $0.contentHash == companion.staged.hash
                    && library.isLocallyAvailable($0)
            }
        }
        if isNew.contains(true) {
            try await library.performChanges {
                let request = try AssetChangeRequest(for: asset)
                for (companion, isNew) in zip(companions, isNew) where isNew {
                    if let reference = companion.reference {
                        try request.addResource(
                            companion.type, reference: reference, filename: companion.filename)
                    } else {
                        try request.addResource(
                            companion.type, blob: companion.staged, filename: companion.filename)
                    }
                }
            }
        }
        let identifier = asset.localIdentifier
        return [file.result(.duplicate, of: identifier)]
            + zip(companions, isNew).map {
                $0.result($1 ? .imported : .duplicate, of: identifier)
            }
    }
}

extension Importer.StagedFile {
    fileprivate func result(
        _ status: ImportResult.Status, of asset: String?
    ) -> ImportResult {
        ImportResult(path: path, assetIdentifier: asset, resourceType: type, status: status)
    }
}
