// SPDX-License-Identifier: Apache-2.0

extension AssetHistory {
    /// Returns the history as it would be after a rendition of an edit was replaced. Nothing is
    /// stored.
    package func replacing(_ rendition: Rendition, ofEdit edit: String) -> AssetHistory {
        AssetHistory(
            asset: asset, originals: originals,
            states: states.map { state in
                AssetState(
                    position: state.position,
                    chain: state.chain.map { $0.identifier == edit ? $0.with(rendition) : $0 },
                    createdDate: state.createdDate)
            }, versions: versions, position: position, revertedPosition: revertedPosition)
    }
}

extension Edit {
    fileprivate func with(_ rendition: Rendition) -> Edit {
        var edit = self
        edit.renditions.removeAll { $0.kind == rendition.kind && $0.part == rendition.part }
        edit.renditions.append(rendition)
        return edit
    }
}
