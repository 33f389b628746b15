// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension AssetResource {
    /// Returns the files of a Live Photo, its still and its video: the originals, or the stored renditions of an edited
    /// version. Empty for a Live Photo that was loaded from files, and for a degraded result.
    public static func assetResources(for livePhoto: LivePhoto) -> [AssetResource] {
        livePhoto.resources
    }

    /// Returns the files of a version of an asset.
    static func ofLivePhoto(
        _ asset: Asset, isEdited: Bool, in library: PhotoLibrary
    ) throws -> [AssetResource] {
        let types: [AssetResourceType] =
            isEdited ? [.fullSizePhoto, .fullSizePairedVideo] : [.photo, .pairedVideo]
        return try assetResources(for: asset, in: library).filter { types.contains($0.type) }
    }
}
