// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library

/// Pairs the stills and videos of Live Photos by their content identifiers, or by name if one has no
/// identifier.
extension Importer {
    /// The maximum duration of a video paired by name only, in seconds. A longer one is unrelated. Cameras by
    /// Apple and Google record three seconds.
    private static let longestMotion = 10.0

    /// Separates the picture's motion, at most one video, from the other videos beside it.
    ///
    /// - Parameters:
    ///   - identifier: The picture's content identifier; nil if it has none.
    ///   - history: The picture's history if it is in the library already.
    /// - Returns: The companions of the picture, and the videos that do not belong to it. Their sidecars are in neither.
    func joined(
        _ companions: [StagedFile], toStillOf identifier: String?, with history: AssetHistory?
    ) async throws -> ([StagedFile], alone: [StagedFile]) {
        var known = history?.originals.first { $0.type == .pairedVideo }?.contentHash
        var (joined, alone): ([StagedFile], [StagedFile]) = ([], [])
        for var file in companions {
            guard file.type == .pairedVideo else {
                joined.append(file)
                continue
            }
            if let known {
                if known == file.staged.hash { joined.append(file) } else { alone.append(file) }
                continue
            }
            file.facts = try await facts(ofMotion: file)
            if let facts = file.facts, try isMotion(facts, ofStillWith: identifier) {
                known = file.staged.hash
                joined.append(file)
            } else {
                alone.append(file)
            }
        }
        let apart = Set(alone.map { FileName($0.path) })
        joined.removeAll { ImportGroup.isSidecar($0.path, of: apart) }
        return (joined, alone)
    }

    /// Returns the facts of a video; nil if it cannot be read.
    private func facts(ofMotion file: StagedFile) async throws -> PhotoFacts? {
        let copy = try file.staged.open()
        let format = MediaFormat(firstBytes: try copy.read(count: MediaFormat.sniffLength))
        do {
            return try await pool.read(copy, format)?.facts
        } catch let error where error.concernsImportedFile {
            // The error is reported when the video is imported separately.
            return nil
        }
    }

    private func isMotion(
        _ facts: PhotoFacts, ofStillWith identifier: String?
    ) throws -> Bool {
        if let own = facts.metadata?.contentIdentifier {
            if let identifier { return own == identifier }
            // The identifier may name another picture in the library.
            let stills = try library.assets(withContentIdentifier: own)
            guard !stills.contains(where: { $0.mediaType == .image }) else { return false }
        }
        return facts.video.map { $0.duration <= Self.longestMotion } ?? false
    }

    /// Adds a video, but not its sidecars, to the stored picture that has its content identifier and no video yet.
    ///
    /// - Returns: Nil if there is no such picture.
    func join(
        _ file: StagedFile, _ sidecars: [StagedFile], toStillWith identifier: String
    ) async throws -> [ImportResult]? {
        let stills = try library.assets(withContentIdentifier: identifier).filter {
            $0.mediaType == .image
        }
        for still in stills {
            let history = try library.history(ofAsset: still.localIdentifier)
            guard !history.originals.contains(where: { $0.type == .pairedVideo }) else { continue }
            try await addMotion(file, to: still)
            return [file.result(.imported, of: still.localIdentifier, as: .pairedVideo)]
                + results(of: sidecars, notAddedTo: history, Self.motionSidecar)
        }
        return nil
    }

    /// Adds a video that is a separate asset to the picture just imported.
    func join(
        storedVideoWith identifier: String, to results: [ImportResult]
    ) async throws -> [ImportResult] {
        guard var still = results.first, let asset = still.assetIdentifier else { return results }
        let videos = try library.assets(withContentIdentifier: identifier)
            .filter { $0.mediaType == .video }
        guard let video = videos.first else { return results }
        let history = try library.history(ofAsset: asset)
        guard !history.originals.contains(where: { $0.type == .pairedVideo }) else {
            return results
        }
        do {
            still.warnings.append(try await join(video, to: history.asset))
        } catch let error where error.concernsImportedFile || error.concernsOriginal {
            still.warnings.append(
                "not joined with its video \(video.originalFilename), which stays a separate "
                    + "video: \(error)")
        }
        return [still] + results.dropFirst()
    }

    private func addMotion(_ file: StagedFile, to still: Asset) async throws {
        var video = file
        video.type = .pairedVideo
        let motion = video
        try await library.performChanges {
            let request = try AssetChangeRequest(for: still)
            try request.add(motion)
        }
    }

    /// Restores the video of a picture if its file was lost.
    func restore(_ file: StagedFile, asMotionOf still: Asset) async throws -> ImportResult {
        let history = try library.history(ofAsset: still.localIdentifier)
        let isThere = history.originals.contains {
            $0.type == .pairedVideo && $0.contentHash == file.staged.hash
                && library.isLocallyAvailable($0)
        }
        if !isThere { try await addMotion(file, to: still) }
        return file.result(
            isThere ? .duplicate : .updated, of: still.localIdentifier, as: .pairedVideo)
    }

    /// Joins a stored picture with its video, which is a separate asset.
    ///
    /// - Returns: Nil if there is no such video.
    func joinStored(_ asset: Asset) async throws -> ImportResult? {
        let history: AssetHistory
        do {
            history = try library.history(ofAsset: asset.localIdentifier)
        } catch let error as LibraryError where error.code == .noSuchAsset {
            return nil
        }
        guard asset.mediaType == .image,
            let identifier = history.original?.facts?.metadata?.contentIdentifier
        else { return nil }
        let before = ImportResult(
            path: asset.originalFilename, assetIdentifier: asset.localIdentifier,
            resourceType: history.original?.type, status: .updated)
        let told = try await join(storedVideoWith: identifier, to: [before])
        return told.first.flatMap { $0.warnings.isEmpty ? nil : $0 }
    }

    /// Turns a video that is a separate asset into the motion of a picture.
    ///
    /// - Returns: A warning for the user.
    func join(_ video: Asset, to still: Asset) async throws -> String {
        let name = video.originalFilename
        guard let (original, facts) = try untouched(video) else { return Self.staying(name) }
        let reference = FileReference(original)
        let staged =
            try reference == nil ? library.stage(library.openOriginal(original)) : nil
        try await library.performChanges {
            try AssetChangeRequest.removeAssets([video])
            let request = try AssetChangeRequest(for: still)
            if let reference {
                try request.addResource(
                    .pairedVideo, reference: reference, filename: name, facts: facts)
            } else if let staged {
                try request.addResource(.pairedVideo, blob: staged, filename: name, facts: facts)
            }
        }
        return Self.joined(name)
    }

    /// Deletes separate video assets that were just imported again as the motion of their pictures.
    func absorb(
        _ companions: [StagedFile], _ results: [ImportResult]
    ) async throws -> [ImportResult] {
        guard var still = results.first, let asset = still.assetIdentifier else { return results }
        for file in companions where file.type == .pairedVideo {
            guard let video = try library.asset(withOriginalHash: file.staged.hash),
                video.mediaType == .video, video.localIdentifier != asset, !video.isTrashed
            else { continue }
            let name = video.originalFilename
            guard try untouched(video) != nil else {
                still.warnings.append(Self.staying(name))
                continue
            }
            try await library.performChanges { try AssetChangeRequest.removeAssets([video]) }
            still.warnings.append(Self.joined(name))
        }
        return [still] + results.dropFirst()
    }

    private static func joined(_ name: String) -> String {
        "joined with its video \(name), until now a separate video"
    }

    private static func staying(_ name: String) -> String {
        "not joined with its video \(name), which stays a separate video because it has edits, "
            + "marks, texts, sidecars or albums"
    }

    /// Returns the original of a video that the user has not changed; nil if it was changed.
    private func untouched(_ video: Asset) throws -> (AssetResource, PhotoFacts)? {
        let history = try library.history(ofAsset: video.localIdentifier)
        let albums = try AssetCollection.fetchAssetCollectionsContaining(
            video, with: .album, in: library)
        // The part of a Live Photo cannot store the metadata of sidecars.
        guard history.states.isEmpty, history.originals.count == 1, !video.isFavorite,
            !video.isHidden, albums.isEmpty,
            let original = history.original, let facts = original.facts,
            try isMetadataUnchanged(video, from: facts)
        else { return nil }
        return (original, facts)
    }

    /// Whether the metadata of an asset equals that of its file, so that no metadata is lost if the asset is deleted.
    private func isMetadataUnchanged(_ asset: Asset, from facts: PhotoFacts) throws -> Bool {
        let metadata = facts.metadata
        let keywords = Set(try asset.keywords(in: library))
        return asset.title == metadata?.title
            && asset.descriptionText == metadata?.descriptionText
            && asset.creator == metadata?.creator && asset.copyright == metadata?.copyright
            && asset.removedTexts.isEmpty
            && asset.label == metadata?.label && asset.rating == metadata?.rating
            && asset.captureDate == facts.creationDate && asset.location == facts.location
            && keywords == Set(metadata?.keywords ?? [])
    }
}
