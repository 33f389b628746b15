// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension AssetResource {
    /// Returns the files of an asset: its originals and, if it is edited, the previous version, the
    /// current version, the last recipe and the files it references. The previous version of a
    /// video is not listed.
    ///
    /// A version whose rendition is not stored has a nil ``blob``. It can be rendered on demand.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset`.
    public static func assetResources(
        for asset: Asset, in library: PhotoLibrary
    ) throws -> [AssetResource] {
        assetResources(of: try library.history(ofAsset: asset.localIdentifier), in: library)
    }

    /// Returns the resources of an asset whose history is already known.
    package static func assetResources(
        of history: AssetHistory, in library: PhotoLibrary
    ) -> [AssetResource] {
        versions(of: history).map { $0.measured(in: library) }
    }

    /// Returns the resource with the size of the stored file.
    private func measured(in library: PhotoLibrary) -> AssetResource {
        guard size == nil, let blob,
            let status = try? library.store.status(of: blob)
        else { return self }
        var resource = self
        resource.size = Int(status.st_size)
        return resource
    }

    private static func versions(of history: AssetHistory) -> [AssetResource] {
        // The video of a Motion Photo is embedded in the file of its picture.
        let embedded = history.pairedVideo.flatMap { $0.embedding == nil ? nil : $0 }
        let originals = history.originals + (embedded.map { [$0] } ?? [])
        guard let original = history.original, let tip = history.chain.last else {
            return originals
        }
        let recipe = [original.recipe(tip.adjustmentData)] + tip.files.map(original.file)
        // No previous version of a video is stored: a further edit starts from the current one.
        if history.asset.mediaType == .video {
            return history.originals
                + [original.version(.fullSizeVideo, rendition: tip.current)] + recipe
        }
        let previous: AssetResource
        if let parent = history.chain.dropLast().last {
            previous = original.version(.adjustmentBasePhoto, rendition: parent.current)
        } else {
            previous = original.version(.adjustmentBasePhoto)
        }
        return originals
            + [previous, original.version(.fullSizePhoto, rendition: tip.current)]
            + motion(of: history) + recipe
    }

    /// Returns the previous and current versions of a Live Photo's video. The previous one is
    /// listed only if it is the original.
    private static func motion(of history: AssetHistory) -> [AssetResource] {
        guard history.hasMotion, let video = history.pairedVideo,
            let tip = history.motion?.chain.last
        else { return [] }
        return (history.chain.count == 1 ? [video.version(.adjustmentBasePairedVideo)] : [])
            + [video.version(.fullSizePairedVideo, rendition: tip.current)]
    }

    private func version(_ type: AssetResourceType, rendition: Rendition?) -> AssetResource {
        AssetResource(
            type: type, assetLocalIdentifier: assetLocalIdentifier,
            originalFilename: originalFilename, format: rendition?.format ?? .unknown,
            blob: rendition?.blob, url: nil, contentHash: rendition?.blob, size: nil,
            contentDate: nil, facts: nil, isPrimary: false)
    }

    private func recipe(_ adjustmentData: AdjustmentData) -> AssetResource {
        var recipe = version(.adjustmentData, rendition: nil)
        recipe.size = adjustmentData.data.count
        return recipe
    }

    private func file(_ file: EditFile) -> AssetResource {
        AssetResource(
            type: .adjustmentFile, assetLocalIdentifier: assetLocalIdentifier,
            originalFilename: file.filename, format: .unknown, blob: file.hash, url: nil,
            contentHash: file.hash, size: file.size, contentDate: nil, facts: nil,
            isPrimary: false)
    }

    /// Returns a resource with the same bytes and a different type.
    private func version(_ type: AssetResourceType) -> AssetResource {
        AssetResource(
            type: type, assetLocalIdentifier: assetLocalIdentifier,
            originalFilename: originalFilename, format: format, blob: blob, url: url,
            contentHash: contentHash, size: size, contentDate: contentDate, facts: nil,
            isPrimary: false, embedding: embedding)
    }
}
