// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerHost

extension Importer {
    /// Reads the metadata of an asset's original and its sidecars again.
    ///
    /// - Parameter path: The path of the file, for the result; nil means the original's filename.
    /// - Throws: Errors that concern the library or the runners as a whole. Others are in the result.
    func readAgain(_ asset: Asset, as path: String?) async throws -> ImportResult {
        let history: AssetHistory
        do {
            history = try library.history(ofAsset: asset.localIdentifier)
        } catch let error as LibraryError where error.code == .noSuchAsset {
            // The asset has been deleted since.
            return ImportResult(
                path: path ?? asset.originalFilename, assetIdentifier: asset.localIdentifier,
                status: .skipped, error: error)
        }
        guard let original = history.original, original.contentHash != nil else {
            return ImportResult(
                path: path ?? asset.originalFilename, assetIdentifier: asset.localIdentifier,
                status: .skipped, error: HostError(.badInput, "the original is missing"))
        }
        var result = ImportResult(
            path: path ?? original.originalFilename, assetIdentifier: asset.localIdentifier,
            resourceType: original.type, status: .duplicate)
        do {
            let file = try library.openOriginal(original)
            let found = try await pool.read(file, original.format, marks: marks(history, []))
            guard var picture = found else {
                throw HostError(.blockedFormat, RunnerPool.lacksVideos)
            }
            if original.blob == nil { try picture.hashImageData(of: file) }
            let merged = try await retrying { [picture] in
                let history = try library.history(ofAsset: asset.localIdentifier)
                return try await merge(
                    picture, changed: history.asset.fileDate, into: history)
            }
            if merged.isUpdate { result = result.with(.updated) }
            result.take(merged)
            return result
        } catch let error where error.concernsImportedFile || error.concernsOriginal {
            result.error = error
            return result.with(.rejected)
        }
    }

    /// Opens the AAE files of an asset, new and stored. Those that cannot be opened are ignored.
    func marks(_ history: AssetHistory, _ companions: [StagedFile]) -> [OpenFile] {
        companions.filter { $0.type == .adjustmentData }.compactMap { try? $0.staged.open() }
            + history.originals.filter { $0.type == .adjustmentData }
            .compactMap { try? library.openOriginal($0) }
    }
}

extension Importer {
    /// Returns the facts of a Live Photo's video if they are missing; nil if they are present or the video
    /// cannot be read.
    func unknownMotion(
        of history: AssetHistory
    ) async throws -> (facts: PhotoFacts, hash: SHA256Digest)? {
        let motion = history.originals.first {
            $0.type == .pairedVideo && $0.facts?.video == nil && library.isLocallyAvailable($0)
        }
        guard let motion, let hash = motion.contentHash, let media = pool.media else { return nil }
        do {
            let facts = try await media.decoded(library.openOriginal(motion), motion.format).facts
            return facts.video == nil ? nil : (facts, hash)
        } catch let error where error.concernsImportedFile || error.concernsOriginal {
            return nil
        }
    }
}
