// SPDX-License-Identifier: Apache-2.0

/// The result of restoring a user's settings from a backup.
package struct RestoredSettings: Sendable {
    /// The paths of the restored files.
    package internal(set) var restored: [String] = []
    /// The paths of existing files that differ from those in the backup, and were kept.
    package internal(set) var kept: [String] = []
    /// The errors of files that could not be restored.
    package internal(set) var failures: [LibraryError] = []
}
