// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

/// Merges metadata that was read again from an asset's files with that of the library.
///
/// The base of the merge is in the stored facts of the original: what its file and its sidecars
/// stated when they were last read.
struct MetadataMerger {
    let assets: AssetTable
    let resources: ResourceTable

    private var database: Database { assets.context.database }

    /// Stores the new sidecars, and returns the changes to make to the asset.
    ///
    /// - Throws: `LibraryError` with `conflict` if the asset has a different original or other
    ///   sidecars than those that were read, and `noSuchAsset`.
    func merge(_ read: RereadMetadata, into identifier: String) throws -> MergedMetadata {
        let history = try HistoryReader(database: database, assetIdentifier: identifier).history()
        let sidecars = history.originals.filter { $0.type == .metadataSidecar }
        guard let original = history.original, original.contentHash == read.original,
            sidecars == read.storedSidecars
        else {
            throw LibraryError(
                .conflict, "its files were replaced in the meantime; try again", asset: identifier)
        }
        let id = try assets.row(of: identifier)
        let own = DescriptiveMetadata(
            history.asset, keywords: try Keywords.fetch(ofRow: id, database))
        // An original that was never read has no base.
        var sidecarValues = read.before
        // Libraries without a record of the sidecars' values have not read these.
        (sidecarValues.creator, sidecarValues.copyright) = (nil, nil)
        let base = original.facts?.described.filled(from: sidecarValues) ?? DescriptiveMetadata()
        // Keywords that only an earlier version found in the file are kept.
        let merge = MetadataMerge(
            own, base: base, stated: read.stated ?? base, restoresMissing: read.restoresMissing,
            losesKeywords: !read.before.keywords.isEmpty, keepsValues: read.keepsValues,
            removed: history.asset.removedTexts)
        try resources.replaceSidecars(read.newSidecars, ofAsset: id, identifier)
        var facts = read.facts
        facts.described = merge.base
        var before = original.facts
        let isChanged = facts != before
        before?.described = merge.base
        return MergedMetadata(
            own: own, merge: merge,
            facts: isChanged ? .init(facts: facts, original: read.original) : nil,
            changesFile: facts != before)
    }
}
