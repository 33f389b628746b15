// SPDX-License-Identifier: Apache-2.0

extension PhotoLibrary {
    /// Options for opening a library.
    public struct Options: Sendable {
        /// True if the library is opened read-only. Nothing is written, so the library can be on a
        /// read-only disk.
        public var isReadOnly = false
        /// The number of seconds to wait for other processes' locks before throwing `busy`.
        public var busyTimeout = 10.0
        /// Read-only: whether a library in an older format is read as is. Some data cannot be read
        /// then.
        package var acceptsOlderFormats = false
        /// Read-only: whether a library in an older format is always read from an upgraded copy of
        /// its database, even if it could be migrated in place. Later changes are not visible.
        package var copiesOlderFormats = false
        /// Read-only: the name of a snapshot of a backup to read instead of the last backup.
        var snapshotName: String?
        /// Writing: whether a library in an older format is upgraded. If not, it is not opened.
        package var upgradesOlderFormats = true
        /// True if opening checks the database of a library that was not closed cleanly.
        package var checksAfterUncleanClose = true
        /// True if the library's reserved disk space may be released if the disk is full. For
        /// operations that free space, such as deleting or pruning.
        package var usesReserve = false
        /// The name of the command, or of another program, that the journal of changes lists.
        package var command: String?
        /// True if all changes made through this object are one entry of the journal, as those of a
        /// command are. Only changes that state a command are grouped.
        package var groupsChanges = false
        /// A hook called once for every change block, on the caller's thread, before anything is
        /// written. An error it throws cancels the change and is rethrown by `performChanges`.
        public var authorization: (@Sendable (ChangeSummary) throws -> Void)?

        /// Creates the default options: reading and writing, without authorisation.
        public init() {}
    }
}
