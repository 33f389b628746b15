// SPDX-License-Identifier: Apache-2.0

extension AssetHistory {
    /// The video of a Live Photo, independent of the asset's state; nil if there is none or it has
    /// not been decoded.
    package var pairedVideo: AssetResource? {
        guard asset.mediaType == .image else { return nil }
        return originals.first { $0.type == .pairedVideo && $0.facts?.video != nil }
            ?? original.flatMap { AssetResource(videoIn: $0) }
    }

    /// True if the asset is a Live Photo in its current state. An edit of the still alone removes
    /// the motion.
    public var hasMotion: Bool { pairedVideo != nil && chain.last?.coversMotion ?? true }

    /// The history of a Live Photo's video as if it were a separate asset: the same edits, with the
    /// renditions of the video. Nil if there is no video.
    /// See docs/design/decisions/0032-live-photos.md.
    package var motion: AssetHistory? {
        guard var video = pairedVideo else { return nil }
        video.isPrimary = true
        return AssetHistory(
            asset: asset, originals: [video],
            states: states.map { state in
                AssetState(
                    position: state.position, chain: state.chain.map(\.ofMotion),
                    createdDate: state.createdDate)
            },
            versions: versions.map { version in
                AssetVersion(
                    name: version.name, chain: version.chain.map(\.ofMotion),
                    createdDate: version.createdDate)
            }, position: position)
    }

    /// Returns the history of one part of the asset.
    package func history(of part: Rendition.Part) -> AssetHistory {
        part == .video && asset.mediaType == .image ? motion ?? self : self
    }
}
