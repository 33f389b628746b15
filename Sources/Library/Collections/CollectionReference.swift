// SPDX-License-Identifier: Apache-2.0

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
