// SPDX-License-Identifier: Apache-2.0

extension AssetCollection {
    /// Returns whether change requests for the operation exist for such a collection. An album
    /// supports all of them. For other collections, only the contents can be deleted. A collection
    /// that was deleted before it was read supports none. This tests the value alone;
    /// ``canPerform(_:in:)`` queries the library.
    public func canPerform(_ operation: CollectionEditOperation) -> Bool {
        !isRemoved && (type == .album || operation == .deleteContent)
    }

    /// Returns whether a change request for the operation would currently succeed. This is
    /// ``canPerform(_:)``, but false in a read-only library and for an album that was deleted since
    /// it was fetched.
    ///
    /// - Throws: `LibraryError` if the library cannot be read.
    public func canPerform(
        _ operation: CollectionEditOperation, in library: PhotoLibrary
    ) throws -> Bool {
        guard canPerform(operation), !library.options.isReadOnly else { return false }
        return try type != .album || library.has(.album, localIdentifier)
    }
}
