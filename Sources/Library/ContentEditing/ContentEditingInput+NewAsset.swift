// SPDX-License-Identifier: Apache-2.0

extension ContentEditingInput {
    /// Creates the input of the first edit of an asset that the running block creates. The asset
    /// has no metadata until the block has ended.
    init(_ placeholder: AssetPlaceholder, files: ContentEditingFiles?) throws {
        let asset = Asset(removed: placeholder.localIdentifier)
        try self.init(
            history: AssetHistory(
                asset: asset, originals: [], states: [], versions: [], position: 0),
            placement: .appending)
        self.files = files
        isForCreatedAsset = true
    }

    /// Creates the input once the facts of the new asset are known.
    init(_ creation: AssetCreationRequest, files: ContentEditingFiles?) throws {
        try self.init(creation.placeholderForCreatedAsset, files: files)
        let original = creation.state.withLock { $0.resources.first }
        guard let original else { return }
        history = AssetHistory(
            asset: history.asset, originals: [AssetResource(original, of: history.asset)],
            states: [], versions: [], position: 0)
        stagedOriginal = original.blob
    }
}

extension AssetResource {
    /// Creates the resource of an original that is about to be added.
    fileprivate init(_ resource: NewResource, of asset: Asset) {
        self.init(
            type: resource.type, assetLocalIdentifier: asset.localIdentifier,
            originalFilename: resource.filename, format: resource.format,
            blob: resource.blob?.hash, url: resource.url, contentHash: resource.hash,
            size: resource.blob?.size ?? resource.reference?.size,
            contentDate: resource.reference?.date, facts: resource.facts, isPrimary: true)
    }
}
