// SPDX-License-Identifier: Apache-2.0

/// The result of removing snapshots from a backup.
package struct SnapshotPruneReport: Sendable {
    /// The removed snapshots, in order of their dates.
    package let removed: [BackupSnapshot]
    /// The number of snapshots that stay.
    package let keptCount: Int
    /// The number of removed files, without databases.
    package let fileCount: Int
    /// The size of the removed files in bytes, without databases.
    package let byteCount: Int
}
