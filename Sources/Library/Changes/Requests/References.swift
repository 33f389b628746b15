// SPDX-License-Identifier: Apache-2.0

/// What names an asset in a change request: an ``Asset``, or the ``AssetPlaceholder`` of one that
/// the same block makes.
public protocol AssetReference: Sendable {
    /// The asset's identifier.
    var localIdentifier: String { get }
}

extension Asset: AssetReference {}
extension AssetPlaceholder: AssetReference {}

/// Stands for an asset that a change block is about to make.
public struct AssetPlaceholder: Hashable, Sendable {
    /// The identifier that the asset will have.
    public let localIdentifier: String
}

/// What names an album or a folder in a change request: the collection, or the
/// ``CollectionPlaceholder`` of one that the same block makes.
public protocol CollectionReference: Sendable {
    /// The collection's identifier.
    var localIdentifier: String { get }
}

extension AssetCollection: CollectionReference {}
extension CollectionList: CollectionReference {}
extension PhotoCollection: CollectionReference {}
extension CollectionPlaceholder: CollectionReference {}

/// Stands for an album or a folder that a change block is about to make.
public struct CollectionPlaceholder: Hashable, Sendable {
    /// The identifier that the collection will have.
    public let localIdentifier: String
}

/// A place in an album.
package enum AlbumPosition: Sendable {
    /// Before all others.
    case start
    /// After all others.
    case end
    /// Directly before another asset of the album.
    case before(any AssetReference)
    /// Directly after another asset of the album.
    case after(any AssetReference)
}
