// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

/// Carries out requests inside one transaction: it has an object for each table and each rule.
final class ChangeExecutor {
    let context: ChangeContext
    /// Makes, changes and deletes assets.
    let assets: AssetWriter
    /// What decoding told of originals.
    let facts: FactsWriter
    /// The files of assets.
    let resources: ResourceTable
    /// Edits, undo and redo, and what is rendered.
    let content: ContentWriter
    /// The albums and folders themselves.
    let collections: CollectionTable
    private let assetTable: AssetTable
    private let bursts: BurstRule
    private let members: AlbumMemberTable

    init(database: Database, store: BlobStore, date: Date) {
        context = ChangeContext(database: database, store: store, date: date)
        assetTable = AssetTable(context: context)
        bursts = BurstRule(assets: assetTable)
        facts = FactsWriter(assets: assetTable)
        resources = ResourceTable(assets: assetTable)
        content = ContentWriter(assets: assetTable)
        collections = CollectionTable(context: context)
        members = AlbumMemberTable(collections: collections)
        assets = AssetWriter(
            assets: assetTable, resources: resources, keywords: KeywordTable(assets: assetTable),
            bursts: bursts, members: members)
    }

    /// The assets of an album, by its row.
    func album(_ row: Int64) -> AlbumContents {
        AlbumContents(album: row, assets: assetTable, members: members)
    }

    /// What lies in a folder, by its row; nil is the top.
    func folder(_ row: Int64?) -> FolderContents {
        FolderContents(folder: row, collections: collections)
    }

    /// Ends the change: writes its entry in the history; nil where nothing changed.
    func finish(session: String) throws -> PersistentChange? {
        try bursts.settle()
        return try context.recorder.writeEntry(
            context.database, date: context.date, session: session)
    }
}
