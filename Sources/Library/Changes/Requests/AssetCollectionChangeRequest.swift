// SPDX-License-Identifier: Apache-2.0

/// A request to create or change an album. Create it inside ``PhotoLibrary/performChanges(_:)``.
///
/// Steps are executed in the order of the calls, and an index refers to the album at that step,
/// including hidden assets but not those in the trash. For a request created with a fetch result,
/// indexes refer to that result. An album contains an asset at most once.
///
/// ```swift
/// try library.performChanges {
///     let album = try AssetCollectionChangeRequest(creatingWithTitle: "Summer")
///     try album.addAssets(assets)
/// }
/// ```
public final class AssetCollectionChangeRequest: Sendable {
    /// The local identifier of the album.
    public let collectionIdentifier: String
    /// The placeholder of the album that this request creates; nil if it changes an existing one.
    public let placeholderForCreatedAssetCollection: CollectionPlaceholder?
    private let change: CollectionChange
    /// The list that indexes refer to; nil for all assets of the album.
    private let shown: DisplayedAssets?

    /// Creates a request for a new album, the last one in its folder.
    ///
    /// - Parameters:
    ///   - title: The title, at least one character. Titles need not be unique.
    ///   - folder: The parent folder; nil for the top level.
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws `invalidRequest`
    ///   for a title that cannot be stored, `noSuchCollection`.
    public init(
        creatingWithTitle title: String, in folder: (any CollectionReference)? = nil
    ) throws {
        let placeholder = CollectionPlaceholder()
        change = try CollectionChange(creating: .album, placeholder, title: title, in: folder)
        collectionIdentifier = placeholder.localIdentifier
        placeholderForCreatedAssetCollection = placeholder
        shown = nil
    }

    /// Creates a request for a new album. PhotoKit's name for ``init(creatingWithTitle:in:)``.
    ///
    /// - Throws: The same errors as ``init(creatingWithTitle:in:)``.
    public static func creationRequestForAssetCollection(
        withTitle title: String
    ) throws -> AssetCollectionChangeRequest {
        try AssetCollectionChangeRequest(creatingWithTitle: title)
    }

    /// Creates a request to change an album.
    ///
    /// - Throws: `LibraryError`: `outsideChangeBlock`; `invalidRequest` for anything but an album.
    public convenience init(for collection: AssetCollection) throws {
        try self.init(for: collection, shown: nil)
    }

    /// Creates a request to change an album through a fetch result that a program displays. All
    /// indexes refer to this list, as the request changes it. Assets not in the fetch result, such
    /// as hidden photos, stay in the album.
    ///
    /// An index that is out of range for the list throws immediately.
    ///
    /// - Parameter assets: Assets of the album, in album order.
    /// - Throws: `LibraryError`: the errors of ``init(for:)-(AssetCollection)``, and those of
    ///   reading the library. `performChanges` throws `invalidRequest` if an asset is to be placed
    ///   next to one that has left the album.
    public convenience init(for collection: AssetCollection, assets: FetchResult<Asset>) throws {
        try self.init(for: collection, shown: DisplayedAssets(assets.localIdentifiers()))
    }

    private init(for collection: AssetCollection, shown: DisplayedAssets?) throws {
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

    /// Creates a request to change an album that the same block creates.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public init(for placeholder: CollectionPlaceholder) throws {
        change = try CollectionChange(.album, placeholder.localIdentifier)
        collectionIdentifier = placeholder.localIdentifier
        placeholderForCreatedAssetCollection = nil
        shown = nil
    }

    /// Requests the deletion of albums. Their assets stay in the library.
    ///
    /// - Throws: `LibraryError`: `outsideChangeBlock`; `invalidRequest` for anything but an album.
    ///   `performChanges` throws `noSuchCollection` if one does not exist.
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

    /// The title of the album, at least one character.
    public var title: String {
        get { change.title }
        set { change.title = newValue }
    }

    /// Appends assets to the album. Assets already in the album keep their positions.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws `noSuchAsset`.
    public func addAssets(_ assets: [any AssetReference]) throws {
        try change.add(.add(assets.map(\.localIdentifier)))
        shown?.append(assets.map(\.localIdentifier))
    }

    /// Appends the assets of a fetch result, in its order, without loading them.
    ///
    /// - Throws: `LibraryError`: the errors of ``addAssets(_:)``, and those of reading the library.
    public func addAssets(_ assets: FetchResult<Asset>) throws {
        let identifiers = try assets.localIdentifiers()
        try change.add(.add(identifiers))
        shown?.append(identifiers)
    }

    /// Inserts assets at ascending indexes, one for each asset. Each index is the final index of
    /// its asset. Assets already in the album keep their positions, and their indexes are ignored.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws `invalidRequest`
    ///   for invalid indexes, `noSuchAsset`.
    public func insertAssets(_ assets: [any AssetReference], at indexes: [Int]) throws {
        let identifiers = assets.map(\.localIdentifier)
        guard let shown else { return try change.add(.insert(identifiers, indexes: indexes)) }
        for step in try shown.insertion(of: identifiers, at: indexes) { try change.add(step) }
    }

    /// Removes assets from the album, but not from the library. Assets that are not in the album
    /// are ignored.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public func removeAssets(_ assets: [any AssetReference]) throws {
        try change.add(.remove(assets.map(\.localIdentifier)))
        shown?.remove(assets.map(\.localIdentifier))
    }

    /// Removes the assets at these indexes from the album.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws `invalidRequest`
    ///   for an out-of-range index.
    public func removeAssets(at indexes: [Int]) throws {
        guard let shown else { return try change.add(.removeAt(indexes)) }
        for step in try shown.removal(at: indexes) { try change.add(step) }
    }

    /// Replaces the assets at these indexes, one for each index.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws `invalidRequest`
    ///   for an out-of-range index, or for an asset that is elsewhere in the album; `noSuchAsset`.
    public func replaceAssets(
        at indexes: [Int], with assets: [any AssetReference]
    ) throws {
        let identifiers = assets.map(\.localIdentifier)
        guard let shown else {
            return try change.add(.album(.replace(indexes, assets: identifiers)))
        }
        for step in try shown.replacement(at: indexes, with: identifiers) { try change.add(step) }
    }

    /// Moves the assets at these indexes, in album order, so that the first of them is inserted at
    /// an index of the album without them.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws `invalidRequest`
    ///   for an out-of-range index.
    public func moveAssets(at indexes: [Int], to index: Int) throws {
        guard let shown else { return try change.add(.move(indexes, destination: index)) }
        for step in try shown.move(at: indexes, to: index) { try change.add(step) }
    }

    /// Moves assets of the album to a position, in the order given. The position is resolved when
    /// the change is executed.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws `invalidRequest`
    ///   for an asset that is not in the album, or one moved next to itself.
    package func moveAssets(_ assets: [any AssetReference], to position: AlbumPosition) throws {
        try change.add(.album(.place(assets.map(\.localIdentifier), position)))
    }

    /// Sets the album's cover to one of its assets; nil restores the automatic cover. The cover is
    /// also reset when its asset leaves the album.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws `invalidRequest`
    ///   for an asset that is not in the album.
    public func setKeyAsset(_ asset: (any AssetReference)?) throws {
        try change.add(.album(.cover(asset?.localIdentifier)))
    }
}
