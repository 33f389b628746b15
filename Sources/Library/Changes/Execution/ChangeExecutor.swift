// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

/// Executes change requests inside one transaction, with one object for each table and each rule.
final class ChangeExecutor {
    let context: ChangeContext
    /// Creates, updates and deletes assets.
    let assets: AssetWriter
    /// Stores the facts that decoding found.
    let facts: FactsWriter
    /// Stores the original and companion files of assets.
    let resources: ResourceTable
    /// Merges metadata that was read again from the files of assets.
    let metadata: MetadataMerger
    /// Writes edits, undo and redo states, and renditions.
    let content: ContentWriter
    /// Stores the albums and folders themselves, without their contents.
    let collections: CollectionTable
    private let assetTable: AssetTable
    private let bursts: BurstRule
    private let members: AlbumMemberTable
    /// The journal entry that the change undoes.
    var undoneEntry: Int64?

    init(database: Database, store: BlobStore, date: Date) {
        context = ChangeContext(database: database, store: store, date: date)
        assetTable = AssetTable(context: context)
        bursts = BurstRule(assets: assetTable)
        facts = FactsWriter(assets: assetTable)
        resources = ResourceTable(assets: assetTable)
        metadata = MetadataMerger(assets: assetTable, resources: resources)
        content = ContentWriter(assets: assetTable)
        collections = CollectionTable(context: context)
        members = AlbumMemberTable(collections: collections)
        assets = AssetWriter(
            assets: assetTable, resources: resources, keywords: KeywordTable(assets: assetTable),
            bursts: bursts, members: members)
    }

    /// Returns the contents of the album with a row ID.
    func album(_ row: Int64) -> AlbumContents {
        AlbumContents(album: row, assets: assetTable, members: members)
    }

    /// Returns the contents of the folder with a row ID; nil is the top level.
    func folder(_ row: Int64?) -> FolderContents {
        FolderContents(folder: row, collections: collections)
    }

    /// The bursts from which the host has to pick again after the commit.
    var unpickedBursts: Set<String> { bursts.unpicked }

    /// Finishes the change and writes its history entry. Returns the token of the entry; nil if
    /// nothing changed.
    func finish(_ author: ChangeAuthor) throws -> ChangeToken? {
        try bursts.chooseRepresentatives()
        return try context.recorder.writeEntry(
            context.database, date: context.date, author: author, undoing: undoneEntry)
    }
}
