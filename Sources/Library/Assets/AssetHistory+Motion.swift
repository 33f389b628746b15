// SPDX-License-Identifier: Apache-2.0

extension AssetHistory {
    /// The video of a Live Photo, whatever the asset's state; nil: it is none, or nothing is known of its video.
    package var pairedVideo: AssetResource? {
        guard asset.mediaType == .image else { return nil }
        return originals.first { $0.type == .pairedVideo && $0.facts?.video != nil }
            ?? original.flatMap { AssetResource(videoIn: $0) }
    }

    /// Whether the asset is a Live Photo in the state that it is in: an edit of the still alone takes the motion away.
    public var hasMotion: Bool { pairedVideo != nil && chain.last?.coversMotion ?? true }

    /// The history of a Live Photo's video, as if that were an asset of its own: the same edits, with what is stored of the
    /// video's renditions. Nil: there is no video.
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

    /// The history of the part whose rendition it is.
    package func history(of part: Rendition.Part) -> AssetHistory {
        part == .video && asset.mediaType == .image ? motion ?? self : self
    }
}

extension Edit {
    /// The same edit of a Live Photo's video.
    package var ofMotion: Edit {
        Edit(
            identifier: identifier, parentIdentifier: parentIdentifier,
            editingExtension: editingExtension, adjustmentData: adjustmentData, files: files,
            isReproducible: true, coversMotion: coversMotion, isEnabled: isEnabled,
            createdDate: createdDate,
            renditions: renditions.filter { $0.part == .video })
    }
}
