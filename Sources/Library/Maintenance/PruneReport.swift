// SPDX-License-Identifier: Apache-2.0

/// The result of pruning a library.
package struct PruneReport: Hashable, Sendable {
    /// The number of assets removed for good, because they were in the trash for 30 days.
    package internal(set) var assetCount = 0
    /// The number of removed renditions, which can be re-rendered.
    package internal(set) var renditionCount = 0
    /// The number of files moved to the library's folder `trash`, where they stay for 30 days.
    package internal(set) var trashedCount = 0
    /// The number of removed files, including those from the trash.
    package internal(set) var fileCount = 0
    /// The total size of the removed files in bytes.
    package internal(set) var byteCount = 0
    /// The number of unknown files that were kept. It is greater than 0 if there are so many that
    /// the database is probably an old copy.
    package internal(set) var suspectCount = 0
}
