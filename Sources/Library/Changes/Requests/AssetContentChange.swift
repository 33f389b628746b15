// SPDX-License-Identifier: Apache-2.0

/// A change of one asset's content, for a ``ContentChangeBatch``.
package struct AssetContentChange: Sendable {
    /// The local identifier of the asset.
    package let assetIdentifier: String
    /// The content generation that the caller saw.
    let generation: Int
    let change: ContentChange

    private init(_ asset: Asset, _ change: ContentChange) {
        assetIdentifier = asset.localIdentifier
        generation = asset.generation
        self.change = change
    }

    /// Replaces the edit stack of the asset that a stack was rendered for, as a new state that can be
    /// undone. The commit throws `conflict` if the asset was edited in the meantime.
    package init(replacingEditsWith chain: NewEditChain) {
        assetIdentifier = chain.assetIdentifier
        generation = chain.generation
        change = .replaceChain(chain)
    }

    /// Makes the original current; see ``AssetChangeRequest/revertAssetContentToOriginal()``.
    package static func revert(_ asset: Asset) -> Self { Self(asset, .revert) }

    /// Moves by several states at once, backwards if the number is negative, with a rendition in
    /// case the library has none; see ``AssetChangeRequest/undo()`` and
    /// ``AssetChangeRequest/redo()``.
    package static func move(_ asset: Asset, by steps: Int, rendered: RenderedContent?) -> Self {
        Self(asset, .move(by: steps, Boxed(wrappedValue: rendered)))
    }

    /// Makes the edits of a version current, with a rendition in case the library has none; see
    /// ``AssetChangeRequest/useVersion(named:)``. The commit throws `conflict` if the name now refers
    /// to different edits.
    package static func useVersion(
        _ version: AssetVersion, of asset: Asset, rendered: RenderedContent?
    ) -> Self {
        Self(asset, .version(.use(version.name, tip: version.tip?.identifier, rendered)))
    }
}
