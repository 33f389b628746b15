// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension AssetResource {
    /// Lists the files behind an asset: its originals and, where it is edited, the previous
    /// version, the current version and the last recipe.
    ///
    /// A version whose pixels are not stored is listed with a nil ``blob``; whoever wants it
    /// renders it.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset`.
    public static func assetResources(
        for asset: Asset, in library: PhotoLibrary
    ) throws -> [AssetResource] {
        versions(of: try library.history(ofAsset: asset.localIdentifier))
    }

    private static func versions(of history: AssetHistory) -> [AssetResource] {
        guard let original = history.original, let tip = history.chain.last else {
            return history.originals
        }
        let (previous, current): (AssetResourceType, AssetResourceType) =
            history.asset.mediaType == .video
            ? (.adjustmentBaseVideo, .fullSizeVideo) : (.adjustmentBasePhoto, .fullSizePhoto)
        let parent = history.chain.dropLast().last
        let previousVersion =
            parent == nil
            ? original.version(previous) : original.version(previous, rendition: parent?.current)
        return history.originals + [
            previousVersion, original.version(current, rendition: tip.current),
            original.version(.adjustmentData, rendition: nil),
        ]
    }

    private func version(_ type: AssetResourceType, rendition: Rendition?) -> AssetResource {
        AssetResource(
            type: type, assetLocalIdentifier: assetLocalIdentifier,
            originalFilename: originalFilename, format: rendition?.format ?? .unknown,
            blob: rendition?.blob, url: nil, contentHash: rendition?.blob, size: nil,
            contentDate: nil, facts: nil, isPrimary: false)
    }

    /// The same bytes in another part.
    private func version(_ type: AssetResourceType) -> AssetResource {
        AssetResource(
            type: type, assetLocalIdentifier: assetLocalIdentifier,
            originalFilename: originalFilename, format: format, blob: blob, url: url,
            contentHash: contentHash, size: size, contentDate: contentDate, facts: nil,
            isPrimary: false)
    }
}
