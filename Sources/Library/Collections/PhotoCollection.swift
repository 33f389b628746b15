// SPDX-License-Identifier: Apache-2.0

/// An album or a folder: what a folder has in it.
public enum PhotoCollection: Hashable, Sendable, Identifiable {
    /// A collection of assets.
    case assetCollection(AssetCollection)
    /// A folder.
    case collectionList(CollectionList)

    /// The identifier.
    public var localIdentifier: String {
        switch self {
        case .assetCollection(let collection): collection.localIdentifier
        case .collectionList(let list): list.localIdentifier
        }
    }
    /// The title.
    public var title: String {
        switch self {
        case .assetCollection(let collection): collection.title
        case .collectionList(let list): list.title
        }
    }
    /// The identifier of the folder that it lies in; nil at the top.
    public var parentLocalIdentifier: String? {
        switch self {
        case .assetCollection(let collection): collection.parentLocalIdentifier
        case .collectionList(let list): list.parentLocalIdentifier
        }
    }
    /// Whether nothing of it is known but its identifier.
    public var isRemoved: Bool {
        switch self {
        case .assetCollection(let collection): collection.isRemoved
        case .collectionList(let list): list.isRemoved
        }
    }
    /// The identifier again, for `Identifiable`.
    public var id: String { localIdentifier }
    /// Whether there can be assets in it.
    public var canContainAssets: Bool {
        if case .assetCollection = self { true } else { false }
    }
    /// Whether there can be collections in it.
    public var canContainCollections: Bool { !canContainAssets }
}

/// A folder of albums and folders, as it was when it was fetched.
///
/// To alter one, make a ``CollectionListChangeRequest`` inside
/// ``PhotoLibrary/performChanges(_:)``.
public struct CollectionList: Hashable, Sendable, Identifiable {
    /// The identifier: unique in the library, and the same for ever. A lower-case UUID.
    public let localIdentifier: String
    /// The title. Several folders may have the same.
    public let title: String
    /// The identifier of the folder that it lies in; nil at the top.
    public let parentLocalIdentifier: String?
    /// Whether nothing of it is known but its identifier: it had been deleted when a
    /// ``FetchResult`` came to read it.
    public let isRemoved: Bool

    /// The row's number.
    let row: Int64

    /// The identifier again, for `Identifiable`.
    public var id: String { localIdentifier }
    /// Whether there can be assets in it: never.
    public var canContainAssets: Bool { false }
    /// Whether there can be collections in it: always.
    public var canContainCollections: Bool { true }
}
