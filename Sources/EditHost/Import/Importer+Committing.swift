// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import Synchronization

extension Importer {
    /// Creates the asset, or adds the companions to the one created concurrently by another process.
    ///
    /// - Parameters:
    ///   - picture: The file without its sidecars; nil if it could not be read.
    ///   - facts: The facts of the file and its sidecars.
    ///   - isFavorite: Whether a sidecar states that the photo is a favourite.
    func commit(
        _ file: StagedFile, _ companions: [StagedFile], _ format: MediaFormat,
        _ picture: FactsOutput.Picture?, _ facts: PhotoFacts?, _ warnings: [String],
        isFavorite: Bool = false
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
            request.isFavorite = isFavorite
            request.originalFolder = finder.folders[FileName(file.path)]
            request.addsCompanionsToDuplicate = false
            made.withLock { $0 = request }
        }
        guard let created = made.withLock({ $0 }) else { return [] }
        // Another process has created it, its lost original has been repaired, or it was in the trash.
        if let (existing, status) = Self.existing(in: created.result) {
            var results = try await add(
                companions, of: file, format, picture,
                to: library.asset(withLocalIdentifier: existing))
            if status == .restored { results[0].status = status }
            results[0].warnings += warnings
            return results
        }
        let identifier = created.placeholderForCreatedAsset.localIdentifier
        for sidecar in companions where sidecar.type == .metadataSidecar {
            sidecars.add(sidecar, named: sidecar.filename, ofAsset: identifier)
        }
        var primary = file.result(.imported, of: identifier)
        primary.warnings = warnings
        return [primary] + companions.map { $0.result(.imported, of: identifier) }
    }

    /// Returns the asset that was found instead of a new one, and the status of the file.
    private static func existing(
        in result: AssetCreationRequest.Result?
    ) -> (identifier: String, status: ImportResult.Status)? {
        switch result {
        case .duplicate(let existing): (existing, .duplicate)
        case .restored(let existing): (existing, .restored)
        case .created, nil: nil
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
