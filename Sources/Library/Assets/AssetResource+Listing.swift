// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension AssetResource {
    /// Lists the files behind an asset: its originals and, where it is edited, the previous
    /// version (of a video there is none), the current version, the last recipe and
    /// the files that it names.
    ///
    /// A version whose pixels are not stored is listed with a nil ``blob``; whoever wants it
    /// renders it.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset`.
    public static func assetResources(
        for asset: Asset, in library: PhotoLibrary
    ) throws -> [AssetResource] {
        versions(of: try library.history(ofAsset: asset.localIdentifier)).map {
            $0.measured(in: library)
        }
    }

    /// With the size that the stored file has.
    private func measured(in library: PhotoLibrary) -> AssetResource {
        guard size == nil, let blob,
            let status = try? library.store.status(of: blob)
        else { return self }
        var resource = self
        resource.size = Int(status.st_size)
        return resource
    }

    private static func versions(of history: AssetHistory) -> [AssetResource] {
        // The video of a Motion Photo lies in the file of its picture.
        let embedded = history.pairedVideo.flatMap { $0.embedding == nil ? nil : $0 }
        let originals = history.originals + (embedded.map { [$0] } ?? [])
        guard let original = history.original, let tip = history.chain.last else {
            return originals
        }
        let recipe = [original.recipe(tip.adjustmentData)] + tip.files.map(original.file)
        // Of a video no previous version is kept: a further edit starts from the current one.
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

    /// The previous and the current version of a Live Photo's video; of the previous one nothing is kept but the original.
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

    /// The same bytes in another part.
    private func version(_ type: AssetResourceType) -> AssetResource {
        AssetResource(
            type: type, assetLocalIdentifier: assetLocalIdentifier,
            originalFilename: originalFilename, format: format, blob: blob, url: url,
            contentHash: contentHash, size: size, contentDate: contentDate, facts: nil,
            isPrimary: false, embedding: embedding)
    }
}
