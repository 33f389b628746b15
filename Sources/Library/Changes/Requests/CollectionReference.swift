// SPDX-License-Identifier: Apache-2.0

/// A reference to an album or folder in a change request: the collection, or the
/// ``CollectionPlaceholder`` of one that the same block creates.
public protocol CollectionReference: Sendable {
    /// The local identifier of the collection.
    var localIdentifier: String { get }
}

extension AssetCollection: CollectionReference {}

extension CollectionList: CollectionReference {}

extension PhotoCollection: CollectionReference {}
