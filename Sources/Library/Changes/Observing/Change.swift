// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// What a ``ChangeObserver`` is told of: one committed change block, whoever made it.
///
/// Ask it what became of the objects and the fetch results that you hold. The answers are those
/// of the moment at which you ask: where further changes have been committed since, they are in
/// them already, and the ``Change`` that tells of those finds nothing new.
public struct Change: Sendable {
    /// The entry of the library's history.
    public let persistentChange: PersistentChange
    /// The library.
    public let library: PhotoLibrary

    /// The place in history after this change.
    public var token: ChangeToken { persistentChange.token }
    /// When it was committed.
    public var date: Date { persistentChange.date }
    /// What it concerned, each object once.
    package var items: [PersistentChange.Item] { persistentChange.items }

    /// What became of an asset; nil where this change did not concern it.
    ///
    /// - Throws: `LibraryError` where the library cannot be read.
    public func changeDetails(for asset: Asset) throws -> ObjectChangeDetails<Asset>? {
        guard let item = item(.asset, asset.localIdentifier) else { return nil }
        let now = try Asset.fetchAssets(
            withLocalIdentifiers: [asset.localIdentifier], in: library)
        return ObjectChangeDetails(
            objectBeforeChanges: asset, objectAfterChanges: try now.object(at: 0),
            assetContentChanged: item.isContentChange)
    }

    /// What became of an album; nil where this change did not concern what it says of itself. Its
    /// members are another question: ask about a fetch result of them.
    ///
    /// - Throws: `LibraryError` where the library cannot be read.
    public func changeDetails(
        for collection: AssetCollection
    ) throws -> ObjectChangeDetails<AssetCollection>? {
        let identifier = collection.localIdentifier
        return try collectionDetails(of: collection, identifier) {
            try AssetCollection.fetchAssetCollections(
                withLocalIdentifiers: [identifier], in: library)
        }
    }

    /// What became of a folder; nil where this change did not concern what it says of itself.
    ///
    /// - Throws: `LibraryError` where the library cannot be read.
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

    /// What became of a fetch result; nil where nothing of it changed.
    ///
    /// ```swift
    /// if let details = try change.changeDetails(for: result) {
    ///     result = details.fetchResultAfterChanges
    /// }
    /// ```
    ///
    /// The cost follows what changed, not the length of the result. Where more than
    /// ``FetchResultChangeDetails/incrementalLimit`` objects have changed since the result was
    /// fetched, or the history does not reach back so far, everything is fetched again, and the
    /// details have no indexes.
    ///
    /// - Throws: `LibraryError` where the library cannot be read.
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

/// What became of one object.
public struct ObjectChangeDetails<Object: Sendable>: Sendable {
    /// The object that was asked about, as the caller holds it.
    public let objectBeforeChanges: Object
    /// The object as it is now; nil where it was deleted.
    public let objectAfterChanges: Object?
    /// Whether the pixels of an asset changed, or the members of a collection, and not only what
    /// describes it.
    public let assetContentChanged: Bool

    /// Whether the object is gone.
    public var objectWasDeleted: Bool { objectAfterChanges == nil }
}
