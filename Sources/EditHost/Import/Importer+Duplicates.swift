// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerHost

extension Importer {
    /// Merges a file and its companions into the asset that already has the file's content. If that asset is in the
    /// trash, it is restored, unless the file was only found in a folder.
    ///
    /// - Parameter picture: The file without its sidecars; nil if it has not been read.
    /// - Returns: The results, and the videos that do not belong to the picture; nil if the file is new.
    func mergeWithDuplicate(
        _ file: StagedFile, _ companions: [StagedFile], _ format: MediaFormat,
        _ picture: FactsOutput.Picture?
    ) async throws -> Created? {
        // An existing asset whose original was lost is not handled here: committing the file restores it.
        if let existing = try library.asset(withOriginalHash: file.staged.hash),
            try library.isLocallyAvailable(existing)
        {
            return try await merge(file, companions, format, picture, into: existing)
        }
        if let existing = try assetWithSamePixels(file, picture) {
            return try await merge(
                file, companions, format, picture, into: existing, replacing: file.reference)
        }
        if format.mediaType == .video,
            let owner = try library.asset(withPairedVideoHash: file.staged.hash)
        {
            if let left = try await leavingInTrash(file, companions, owner) { return left }
            try await restore(owner)
            var result = try await restore(file, asMotionOf: owner)
            if owner.isTrashed { result.status = .restored }
            let history = try library.history(ofAsset: owner.localIdentifier)
            return ([result] + results(of: companions, notAddedTo: history, Self.motionSidecar), [])
        }
        return nil
    }

    /// Merges a file and its companions into an asset, which is restored if necessary.
    ///
    /// - Parameter reference: The file as the new state of the asset's original, if metadata was changed in it.
    private func merge(
        _ file: StagedFile, _ companions: [StagedFile], _ format: MediaFormat,
        _ picture: FactsOutput.Picture?, into asset: Asset,
        replacing reference: FileReference? = nil
    ) async throws -> Created {
        if let left = try await leavingInTrash(file, companions, asset) { return left }
        try await restore(asset)
        let history = try library.history(ofAsset: asset.localIdentifier)
        let (joined, alone) = try await joined(
            companions, toStillOf: asset.contentIdentifier, with: history)
        var results = try await add(
            joined, of: file, format, picture, to: asset, replacing: reference)
        if asset.isTrashed { results[0].status = .restored }
        return (try await absorb(joined, results), alone)
    }

    /// Returns the asset that references the file, if another program has changed only metadata in it since.
    private func assetWithSamePixels(
        _ file: StagedFile, _ picture: FactsOutput.Picture?
    ) throws -> Asset? {
        guard let url = file.reference?.url, let facts = picture?.facts,
            let hash = facts.imageDataHash
        else { return nil }
        return try library.assets(withOriginalAt: url).first { asset in
            let known = try library.history(ofAsset: asset.localIdentifier).original?.facts
            return known?.imageDataHash == hash && known?.hasSameLayout(as: facts) == true
        }
    }

    /// Returns the result for a RAW file whose preview an earlier version imported as a photo; nil if it did not.
    static func storedPreview(
        _ path: String, _ file: OpenFile, _ format: MediaFormat, in library: PhotoLibrary
    ) throws -> ImportResult? {
        guard format == .raw || format == .dng else { return nil }
        let start = try file.read(count: MediaFormat.sniffLength)
        guard MediaFormat(firstBytes: start) == .tiff,
            let existing = try library.asset(withOriginalHash: OutgoingFile(file).hash())
        else { return nil }
        var result = ImportResult(
            path: path, assetIdentifier: existing.localIdentifier, resourceType: .photo,
            status: .duplicate)
        result.warnings = [
            "the photo is the preview of this RAW file, which was once imported as a TIFF"
        ]
        return result
    }

    /// Returns the results of files whose asset stays in the trash, and the videos that do not belong to it; nil if the
    /// asset is not there or is to be restored.
    ///
    /// Otherwise, an import of the same folder each night would restore every deleted photo. A move leaves the files,
    /// because those of a photo in the trash are removed after some time.
    private func leavingInTrash(
        _ file: StagedFile, _ companions: [StagedFile], _ asset: Asset
    ) async throws -> Created? {
        guard asset.isTrashed, !finder.isNamed(file.path) else { return nil }
        let history = try library.history(ofAsset: asset.localIdentifier)
        let (joined, alone) = try await joined(
            companions, toStillOf: asset.contentIdentifier, with: history)
        var primary = file.result(.duplicate, of: asset.localIdentifier)
        primary.warnings = [Self.inTrash]
        var results = [primary] + results(of: joined, notAddedTo: history, Self.photoInTrash)
        for index in results.indices { results[index].staysInPlace = true }
        return (results, alone)
    }

    /// Returns the results of companions that are not added to an asset. Those that it lacks are skipped.
    func results(
        of companions: [StagedFile], notAddedTo history: AssetHistory, _ reason: HostError
    ) -> [ImportResult] {
        companions.map { companion in
            if isStored(companion, in: history) {
                return companion.result(.duplicate, of: history.asset.localIdentifier)
            }
            var result = companion.result(.skipped, of: nil)
            result.error = reason
            return result
        }
    }

    /// The reason why a sidecar of a Live Photo's video is skipped if it is not beside the picture.
    static let motionSidecar = HostError(
        .badInput,
        "its video is part of a Live Photo; give the sidecar the name of the picture, and import "
            + "both")

    /// The reason why a new file beside a photo in the trash is skipped.
    static let photoInTrash = HostError(.badInput, "its photo is in the trash")

    /// The warning about a file whose photo stays in the trash.
    static let inTrash =
        "the photo is in the trash; restore it with edithost trash restore, or import the file by "
        + "its name"

    /// Restores an asset if it is in the trash.
    private func restore(_ asset: Asset) async throws {
        guard asset.isTrashed else { return }
        try await library.performChanges { try AssetChangeRequest.restoreAssets([asset]) }
    }

    /// Whether the library has a file, so that it need not be decoded to be imported.
    func isKnown(_ file: StagedFile, _ format: MediaFormat) throws -> Bool {
        if let existing = try library.asset(withOriginalHash: file.staged.hash) {
            return try library.isLocallyAvailable(existing)
        }
        guard format.mediaType == .video else { return false }
        return try library.asset(withPairedVideoHash: file.staged.hash) != nil
    }

    /// Whether a stored file has to be decoded: to read it again, or because it has a sidecar that is not stored.
    func mustRead(_ file: StagedFile, _ companions: [StagedFile]) throws -> Bool {
        guard let asset = try library.asset(withOriginalHash: file.staged.hash) else {
            return false
        }
        if readsAgain { return true }
        let sidecars = companions.filter { $0.type == .metadataSidecar }
        if sidecars.isEmpty { return false }
        let known = try library.history(ofAsset: asset.localIdentifier).sidecars
        return !sidecars.allSatisfy { sidecar in
            known.contains { $0.contentHash == sidecar.staged.hash }
        }
    }
}

extension PhotoFacts {
    /// Whether equal image data means equal pixels, motion and auxiliary pictures. The orientation is metadata, but edits
    /// depend on it.
    fileprivate func hasSameLayout(as other: PhotoFacts) -> Bool {
        pixelWidth == other.pixelWidth && pixelHeight == other.pixelHeight
            && orientation == other.orientation && bitsPerSample == other.bitsPerSample
            && hasAlpha == other.hasAlpha && colorModel == other.colorModel
            && (embeddedVideo == nil) == (other.embeddedVideo == nil)
            && companions == other.companions
    }
}
