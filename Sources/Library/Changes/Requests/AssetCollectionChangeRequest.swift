// SPDX-License-Identifier: Apache-2.0

/// Asks for a new album, or for changes to one. Make it inside
/// ``PhotoLibrary/performChanges(_:)``.
///
/// What it is asked for is done in that order, and an index counts the assets, hidden ones too,
/// as they are when its turn comes; of a request that was made with a fetch result, what that has. An
/// album has an asset once.
///
/// ```swift
/// try library.performChanges {
///     let album = try AssetCollectionChangeRequest(creatingWithTitle: "Summer")
///     try album.addAssets(assets)
/// }
/// ```
public final class AssetCollectionChangeRequest: Sendable {
    /// The album's identifier.
    public let collectionIdentifier: String
    /// Stands for the album that this request makes; nil where it changes one.
    public let placeholderForCreatedAssetCollection: CollectionPlaceholder?
    private let change: CollectionChange
    /// What indexes count; nil where they count all of the album.
    private let shown: ShownAssets?

    /// Asks for a new album, the last one in its folder.
    ///
    /// - Parameters:
    ///   - title: Its title, at least one character; there may be others of the same.
    ///   - folder: Where it will lie; nil for the top.
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws
    ///   `invalidRequest` for a title that cannot be stored, `noSuchCollection`.
    public init(
        creatingWithTitle title: String, in folder: (any CollectionReference)? = nil
    ) throws {
        let placeholder = CollectionPlaceholder()
        change = try CollectionChange(creating: .album, placeholder, title: title, in: folder)
        collectionIdentifier = placeholder.localIdentifier
        placeholderForCreatedAssetCollection = placeholder
        shown = nil
    }

    /// PhotoKit's name of ``init(creatingWithTitle:in:)``.
    ///
    /// - Throws: As that.
    public static func creationRequestForAssetCollection(
        withTitle title: String
    ) throws -> AssetCollectionChangeRequest {
        try AssetCollectionChangeRequest(creatingWithTitle: title)
    }

    /// Asks for changes to an album.
    ///
    /// - Throws: `LibraryError`: `outsideChangeBlock`; `invalidRequest` for anything but an album.
    public convenience init(for collection: AssetCollection) throws {
        try self.init(for: collection, shown: nil)
    }

    /// Asks for changes to an album of which a program shows what a fetch has found: all indexes are
    /// those of this list, as the request changes it. What the fetch has left out, such as hidden
    /// photographs, stays in the album.
    ///
    /// An index that the list does not have is an error at once.
    ///
    /// - Parameter assets: assets of the album, in its order.
    /// - Throws: `LibraryError`: as ``init(for:)-(AssetCollection)``, and where the library cannot be
    ///   read; `performChanges` throws `invalidRequest` where an asset of the list, beside which
    ///   another one is to be put, is not in the album any more.
    public convenience init(for collection: AssetCollection, assets: FetchResult<Asset>) throws {
        try self.init(for: collection, shown: ShownAssets(assets.localIdentifiers()))
    }

    private init(for collection: AssetCollection, shown: ShownAssets?) throws {
        guard collection.type == .album else {
            throw LibraryError(
                .invalidRequest,
                "\(collection.title) cannot be changed: it is not an album but a "
                    + collection.type.name)
        }
        change = try CollectionChange(.album, collection.localIdentifier, title: collection.title)
        collectionIdentifier = collection.localIdentifier
        placeholderForCreatedAssetCollection = nil
        self.shown = shown
    }

    /// Asks for changes to an album that the same block has made.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public init(for placeholder: CollectionPlaceholder) throws {
        change = try CollectionChange(.album, placeholder.localIdentifier)
        collectionIdentifier = placeholder.localIdentifier
        placeholderForCreatedAssetCollection = nil
        shown = nil
    }

    /// Asks for albums to be deleted. Their assets stay in the library.
    ///
    /// - Throws: `LibraryError`: `outsideChangeBlock`; `invalidRequest` for anything but an album;
    ///   `performChanges` throws `noSuchCollection` where one is not there.
    public static func deleteAssetCollections(_ collections: some Sequence<AssetCollection>) throws
    {
        let block = try ChangeBlock.current()
        let collections = Array(collections)
        for collection in collections where collection.type != .album {
            throw LibraryError(
                .invalidRequest,
                "\(collection.title) cannot be deleted: it is not an album but a "
                    + collection.type.name)
        }
        block.add(
            CollectionDeletionRequest(
                kind: .album, identifiers: collections.map(\.localIdentifier)))
    }

    /// The title.
    public var title: String {
        get { change.title }
        set { change.title = newValue }
    }

    /// Asks for assets to be put at the end. Those that the album has already stay where they
    /// are.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws `noSuchAsset`.
    public func addAssets(_ assets: [any AssetReference]) throws {
        try change.add(.add(assets.map(\.localIdentifier)))
        shown?.append(assets.map(\.localIdentifier))
    }

    /// Asks for all that a fetch finds to be put at the end, in its order. No asset is read.
    ///
    /// - Throws: `LibraryError`, as ``addAssets(_:)`` and as reading the library does.
    public func addAssets(_ assets: FetchResult<Asset>) throws {
        let identifiers = try assets.localIdentifiers()
        try change.add(.add(identifiers))
        shown?.append(identifiers)
    }

    /// Asks for assets to be put where they then have these indexes, one for each and ascending.
    /// Those that the album has already stay where they are, and their indexes do not count.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws
    ///   `invalidRequest` for indexes that cannot be, `noSuchAsset`.
    public func insertAssets(_ assets: [any AssetReference], at indexes: [Int]) throws {
        let identifiers = assets.map(\.localIdentifier)
        guard let shown else { return try change.add(.insert(identifiers, indexes: indexes)) }
        for step in try shown.insertion(of: identifiers, at: indexes) { try change.add(step) }
    }

    /// Asks for assets to be taken out of the album. They stay in the library. One that is not in
    /// the album is no error.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public func removeAssets(_ assets: [any AssetReference]) throws {
        try change.add(.remove(assets.map(\.localIdentifier)))
        shown?.remove(assets.map(\.localIdentifier))
    }

    /// Asks for the assets at these indexes to be taken out of the album.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws
    ///   `invalidRequest` for an index that the album does not have.
    public func removeAssets(at indexes: [Int]) throws {
        guard let shown else { return try change.add(.removeAt(indexes)) }
        for step in try shown.removal(at: indexes) { try change.add(step) }
    }

    /// Asks for the assets at these indexes to be taken out, and others to be put in their
    /// places, one for each.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws
    ///   `invalidRequest` for an index that the album does not have, and for an asset that it has
    ///   elsewhere; `noSuchAsset`.
    public func replaceAssets(
        at indexes: [Int], with assets: [any AssetReference]
    ) throws {
        let identifiers = assets.map(\.localIdentifier)
        guard let shown else {
            return try change.add(.album(.replace(indexes, assets: identifiers)))
        }
        for step in try shown.replacement(at: indexes, with: identifiers) { try change.add(step) }
    }

    /// Asks for the assets at these indexes to be taken out and put in again, in the order in
    /// which they were, the first of them at an index of the album without them.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws
    ///   `invalidRequest` for an index that the album does not have.
    public func moveAssets(at indexes: [Int], to index: Int) throws {
        guard let shown else { return try change.add(.move(indexes, destination: index)) }
        for step in try shown.move(at: indexes, to: index) { try change.add(step) }
    }

    /// Asks for assets of the album to be put somewhere else in it, in the order given, wherever
    /// they and the others are by then.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws
    ///   `invalidRequest` for an asset that is not in the album, and for one that should be put
    ///   beside itself.
    package func moveAssets(_ assets: [any AssetReference], to position: AlbumPosition) throws {
        try change.add(.album(.place(assets.map(\.localIdentifier), position)))
    }

    /// Asks for an asset of the album to be its cover; with nil, for the album to choose for
    /// itself again. A cover that is taken out of the album is its cover no longer.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws
    ///   `invalidRequest` for an asset that is not in the album.
    public func setKeyAsset(_ asset: (any AssetReference)?) throws {
        try change.add(.album(.cover(asset?.localIdentifier)))
    }
}
