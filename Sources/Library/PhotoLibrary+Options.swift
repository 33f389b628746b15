// SPDX-License-Identifier: Apache-2.0

extension PhotoLibrary {
    /// How a library is opened.
    public struct Options: Sendable {
        /// Reading only: nothing is written, not even for a library that is on a read-only disk.
        public var isReadOnly = false
        /// How many seconds to wait for other processes' changes before `busy`.
        public var busyTimeout = 10.0
        /// Whether a library that was not closed in order has its database checked at once.
        public var checksAfterUncleanClose = true
        /// Whether the space that the library keeps in reserve may be given up where the disk is
        /// full: for those who are about to free some, by deleting or pruning.
        public var usesReserve = false
        /// Asked once for every change block, before anything is written; what it throws stops
        /// the change and is thrown from `performChanges`. It runs on the caller's thread.
        public var authorization: (@Sendable (ChangeSummary) throws -> Void)?

        /// The usual options: reading and writing, no authorisation.
        public init() {}
    }
}
