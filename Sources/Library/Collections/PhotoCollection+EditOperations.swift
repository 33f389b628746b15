// SPDX-License-Identifier: Apache-2.0

extension PhotoCollection {
    /// Returns whether change requests for the operation exist for such a collection; see
    /// ``AssetCollection/canPerform(_:)`` and ``CollectionList/canPerform(_:)``.
    public func canPerform(_ operation: CollectionEditOperation) -> Bool {
        switch self {
        case .assetCollection(let collection): collection.canPerform(operation)
        case .collectionList(let list): list.canPerform(operation)
        }
    }

    /// Returns whether a change request for the operation would currently succeed; see
    /// ``AssetCollection/canPerform(_:in:)`` and ``CollectionList/canPerform(_:in:)``.
    ///
    /// - Throws: `LibraryError` if the library cannot be read.
    public func canPerform(
        _ operation: CollectionEditOperation, in library: PhotoLibrary
    ) throws -> Bool {
        switch self {
        case .assetCollection(let collection): try collection.canPerform(operation, in: library)
        case .collectionList(let list): try list.canPerform(operation, in: library)
        }
    }
}
