// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The notification passed to a ``ChangeObserver``: one change block, committed by any process.
///
/// Use it to get the changes to the objects and fetch results that you hold. The changes reflect
/// the library at the time of the call. They include changes committed later, whose own
/// notifications then report no further difference.
public struct Change: Sendable {
    /// The entry of the change in the library's history.
    public let persistentChange: PersistentChange
    /// The library in which the change was committed.
    public let library: PhotoLibrary

    /// The token of the position in the history after this change.
    public var token: ChangeToken { persistentChange.token }
    /// The date of the commit.
    public var date: Date { persistentChange.date }
    /// The affected objects, each listed once.
    package var items: [PersistentChange.Item] { persistentChange.items }

    /// Returns the changes to an asset; nil if this change did not affect it. An asset that was
    /// moved to the trash counts as deleted, unless it already was in the trash.
    ///
    /// - Throws: `LibraryError` if the library cannot be read.
    public func changeDetails(for asset: Asset) throws -> ObjectChangeDetails<Asset>? {
        guard let item = item(.asset, asset.localIdentifier) else { return nil }
        var options = FetchOptions()
        options.includeTrashedAssets = asset.isTrashed
        let now = try Asset.fetchAssets(
            withLocalIdentifiers: [asset.localIdentifier], in: library, options: options)
        return ObjectChangeDetails(
            objectBeforeChanges: asset, objectAfterChanges: try now.object(at: 0),
            assetContentChanged: item.isContentChange)
    }

    /// Returns the changes to an album's own properties; nil if this change did not affect them.
    /// For changes to its members, pass a fetch result of them.
    ///
    /// - Throws: `LibraryError` if the library cannot be read.
    public func changeDetails(
        for collection: AssetCollection
    ) throws -> ObjectChangeDetails<AssetCollection>? {
        let identifier = collection.localIdentifier
        return try collectionDetails(of: collection, identifier) {
            try AssetCollection.fetchAssetCollections(
                withLocalIdentifiers: [identifier], in: library)
        }
    }

    /// Returns the changes to a folder's own properties; nil if this change did not affect them.
    ///
    /// - Throws: `LibraryError` if the library cannot be read.
    public func changeDetails(
        for list: CollectionList
    ) throws -> ObjectChangeDetails<CollectionList>? {
        let identifier = list.localIdentifier
        return try collectionDetails(of: list, identifier) {
            try CollectionList.fetchCollectionLists(
                withLocalIdentifiers: [identifier], in: library)
        }
    }

    private func collectionDetails<Collection: Sendable>(
        of collection: Collection, _ identifier: String, now: () throws -> FetchResult<Collection>
    ) throws -> ObjectChangeDetails<Collection>? {
        guard let item = item(.collection, identifier),
            item.kind == .removed || item.isMetadataChange
        else { return nil }
        let now = try now()
        return ObjectChangeDetails(
            objectBeforeChanges: collection, objectAfterChanges: try now.object(at: 0),
            assetContentChanged: item.isContentChange)
    }

    /// Returns the changes to a fetch result; nil if nothing in it changed.
    ///
    /// ```swift
    /// if let details = try change.changeDetails(for: result) {
    ///     result = details.fetchResultAfterChanges
    /// }
    /// ```
    ///
    /// The cost is proportional to the number of changes, not to the length of the result. The
    /// result is fetched again, and the details have no indexes, in two cases:
    ///
    /// - More than ``FetchResultChangeDetails/incrementalLimit`` objects have changed since the
    ///   result was fetched.
    /// - The history does not reach back to the time of the fetch.
    ///
    /// - Throws: `LibraryError` if the library cannot be read.
    public func changeDetails<Element>(
        for result: FetchResult<Element>
    ) throws -> FetchResultChangeDetails<Element>? {
        guard case .fetched(let objects) = result.storage else { return nil }
        guard objects.library === library else { return nil }
        let moment = try objects.moment()
        guard moment.token < token.number else { return nil }
        return try ResultComparison(objects: objects, before: moment).details(of: result)
    }

    func item(_ type: PersistentChange.ObjectType, _ identifier: String) -> PersistentChange.Item? {
        items.first { $0.objectType == type && $0.identifier == identifier }
    }
}
