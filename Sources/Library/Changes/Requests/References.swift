// SPDX-License-Identifier: Apache-2.0

/// A reference to an asset in a change request: an ``Asset``, or the ``AssetPlaceholder`` of one
/// that the same block creates.
public protocol AssetReference: Sendable {
    /// The local identifier of the asset.
    var localIdentifier: String { get }
}

extension Asset: AssetReference {}
extension AssetPlaceholder: AssetReference {}

/// A placeholder for an asset that a change block creates.
public struct AssetPlaceholder: Hashable, Sendable {
    /// The identifier that the asset will have.
    public let localIdentifier: String
}

/// A reference to an album or folder in a change request: the collection, or the
/// ``CollectionPlaceholder`` of one that the same block creates.
public protocol CollectionReference: Sendable {
    /// The local identifier of the collection.
    var localIdentifier: String { get }
}

extension AssetCollection: CollectionReference {}
extension CollectionList: CollectionReference {}
extension PhotoCollection: CollectionReference {}
extension CollectionPlaceholder: CollectionReference {}

/// A placeholder for an album or folder that a change block creates.
public struct CollectionPlaceholder: Hashable, Sendable {
    /// The identifier that the collection will have.
    public let localIdentifier: String
}

/// A position in an album, absolute or relative to one of its assets.
package enum AlbumPosition: Sendable {
    /// Before all other assets.
    case start
    /// After all other assets.
    case end
    /// Directly before another asset of the album.
    case before(any AssetReference)
    /// Directly after another asset of the album.
    case after(any AssetReference)
}
