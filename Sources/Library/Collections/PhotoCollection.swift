// SPDX-License-Identifier: Apache-2.0

/// An album or a folder, as a member of a folder.
public enum PhotoCollection: Hashable, Sendable, Identifiable {
    /// An album or another collection of assets.
    case assetCollection(AssetCollection)
    /// A folder of albums and folders.
    case collectionList(CollectionList)

    /// The identifier, unique in the library.
    public var localIdentifier: String {
        switch self {
        case .assetCollection(let collection): collection.localIdentifier
        case .collectionList(let list): list.localIdentifier
        }
    }
    /// The title, which is not necessarily unique.
    public var title: String {
        switch self {
        case .assetCollection(let collection): collection.title
        case .collectionList(let list): list.title
        }
    }
    /// The identifier of the folder that contains it, or nil at the top level.
    public var parentLocalIdentifier: String? {
        switch self {
        case .assetCollection(let collection): collection.parentLocalIdentifier
        case .collectionList(let list): list.parentLocalIdentifier
        }
    }
    /// True if only the identifier is valid, because it was deleted before it was read.
    public var isRemoved: Bool {
        switch self {
        case .assetCollection(let collection): collection.isRemoved
        case .collectionList(let list): list.isRemoved
        }
    }
    /// The local identifier, for `Identifiable`.
    public var id: String { localIdentifier }
    /// True if it can contain assets.
    public var canContainAssets: Bool {
        if case .assetCollection = self { true } else { false }
    }
    /// True if it can contain collections.
    public var canContainCollections: Bool { !canContainAssets }
}
