// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension ContentEditingInput {
    /// The input of the first edit of an asset that the running block makes. Nothing is known of the
    /// asset before the block has ended.
    init(_ placeholder: AssetPlaceholder, files: ContentEditingFiles?) throws {
        let asset = Asset(removed: placeholder.localIdentifier)
        try self.init(
            history: AssetHistory(
                asset: asset, originals: [], states: [], versions: [], position: 0),
            placement: .appending)
        self.files = files
        isForCreatedAsset = true
    }

    /// The same when it is known what the asset will be.
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
    /// An original that is about to be added.
    fileprivate init(_ resource: NewResource, of asset: Asset) {
        self.init(
            type: resource.type, assetLocalIdentifier: asset.localIdentifier,
            originalFilename: resource.filename, format: resource.format,
            blob: resource.blob?.hash, url: resource.url, contentHash: resource.hash,
            size: resource.blob?.size ?? resource.reference?.size,
            contentDate: resource.reference?.date, facts: resource.facts, isPrimary: true)
    }
}

extension ContentEditingOutput {
    /// Makes an output for an asset that the running block makes, so that the asset comes with its
    /// first edit. Set it on ``AssetCreationRequest/contentEditingOutput``, or on a change request for
    /// the placeholder.
    ///
    /// Where the library has the same photograph already, that one is edited, unless it has been
    /// edited before: then the block fails with `conflict`.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `HostError` where the host has no place
    ///   for files.
    public init(placeholderForCreatedAsset placeholder: AssetPlaceholder) throws {
        let files = try ChangeBlock.current().makeFiles()
        self.init(contentEditingInput: try ContentEditingInput(placeholder, files: files))
    }
}
