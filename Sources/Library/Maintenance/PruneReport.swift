// SPDX-License-Identifier: Apache-2.0

/// What `prune` removed.
public struct PruneReport: Hashable, Sendable {
    /// How many renditions were forgotten; they can be rendered again.
    public internal(set) var renditionCount = 0
    /// How many files were taken to the trash, where they stay for 30 days.
    public internal(set) var trashedCount = 0
    /// How many files were removed, from the trash too.
    public internal(set) var fileCount = 0
    /// How many bytes they had.
    public internal(set) var byteCount = 0
    /// How many files the database does not know were left where they are, because there are
    /// so many that the database may be the one that is wrong, for example an old copy.
    public internal(set) var suspectCount = 0
}
