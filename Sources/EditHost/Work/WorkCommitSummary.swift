// SPDX-License-Identifier: Apache-2.0

/// The numbers of results by their outcome in a commit.
package struct WorkCommitSummary: Equatable, Sendable {
    /// Results that were committed.
    package var committed = 0
    /// Results that the library had already.
    package var present = 0
    /// Results of assets whose edits or inputs have changed since the plan was made.
    package var edited = 0
    /// Results of assets or edits that were deleted.
    package var deleted = 0
    /// Results of another build of an extension, of edithost or of its libraries.
    package var otherExtension = 0
    /// Results that are damaged or invalid.
    package var damaged = 0
    /// Jobs with results that differ.
    package var differing = 0
    /// Results of attempts that failed an audit, except for the result that failed it.
    package var refused = 0
    /// Results that failed an audit.
    package var auditFailures = 0
    /// Results that could not be rendered here for an audit.
    package var notAudited = 0
    /// Jobs that failed on a node and have no other result.
    package var failed = 0
    /// Shards that could not be read.
    package var unreadable = 0
    /// Jobs without an outcome.
    package var pending = 0
    /// Pending jobs that were skipped after an extension was quarantined, and whose attempts have ended. They are
    /// rendered only if their shard is submitted again.
    package var notTried = 0

    package init() {}

    mutating func count(_ status: WorkCommitment.Status) {
        switch status {
        case .committed: committed += 1
        case .edited: edited += 1
        case .deleted: deleted += 1
        case .otherExtension: otherExtension += 1
        case .refused: refused += 1
        }
    }
}
