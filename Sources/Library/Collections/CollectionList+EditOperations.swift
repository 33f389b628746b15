// SPDX-License-Identifier: Apache-2.0

extension CollectionList {
    /// Returns whether change requests for the operation exist: all, unless the folder was deleted
    /// before it was read. This tests the value alone; ``canPerform(_:in:)`` queries the library.
    public func canPerform(_ operation: CollectionEditOperation) -> Bool { !isRemoved }

    /// Returns whether a change request for the operation would currently succeed. It would not in
    /// a read-only library or if the folder was deleted since it was fetched.
    ///
    /// - Throws: `LibraryError` if the library cannot be read.
    public func canPerform(
        _ operation: CollectionEditOperation, in library: PhotoLibrary
    ) throws -> Bool {
        guard canPerform(operation), !library.options.isReadOnly else { return false }
        return try library.has(.folder, localIdentifier)
    }
}
