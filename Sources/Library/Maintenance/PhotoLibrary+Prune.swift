// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

extension PhotoLibrary {
    /// Forgets renditions that can be rendered again, and removes the files that nothing needs.
    ///
    /// The files of those renditions are removed at once. Other files that nothing names, such as
    /// those of deleted assets, go to the trash and are removed by a `prune` 30 days later.
    /// Originals, lossless bases and the renditions of versions and of the states that assets are in are never
    /// removed. Others are not used by anybody meanwhile: the library is locked exclusively.
    ///
    /// - Parameters:
    ///   - keep: How many of the newest renditions to keep per asset, besides those.
    ///   - date: Only renditions made before it are forgotten; nil for all.
    ///   - emptyingTrash: Whether to remove what is in the trash now, however young.
    ///   - canRender: Whether these edits, in their order, can be run again on top of what is
    ///     stored below them. Edits made by applications cannot, whatever it answers.
    /// - Throws: `LibraryError`: `busy` while others change the library; `damaged` where the
    ///   database does not pass its check, and then nothing is removed.
    package func prune(
        keep: Int = 0, olderThan date: Date? = nil, emptyingTrash: Bool = false,
        canRender: ([Edit]) -> Bool = { _ in true }
    ) throws -> PruneReport {
        let (pool, _) = try writer()
        let lock = try LibraryLock.exclusive(root)
        defer { withExtendedLifetime(lock) {} }
        let reserve = SpaceReserve(root: root)
        if options.usesReserve { reserve.giveUpIfNeeded() }
        defer { reserve.makeIfNeeded() }
        var pruning = Pruning(
            root: root, keep: max(0, keep), date: date, emptiesTrash: emptyingTrash)
        return try translatingDatabaseErrors(path: path) {
            try pool.writeWithoutTransaction { database in
                try pruning.run(database, canRender: canRender)
            }
        }
    }
}

/// What `prune` removed.
package struct PruneReport: Hashable, Sendable {
    /// How many renditions were forgotten; they can be rendered again.
    package internal(set) var renditionCount = 0
    /// How many files were taken to the trash, where they stay for 30 days.
    package internal(set) var trashedCount = 0
    /// How many files were removed, from the trash too.
    package internal(set) var fileCount = 0
    /// How many bytes they had.
    package internal(set) var byteCount = 0
    /// How many files the database does not know were left where they are, because there are
    /// so many that the database may be the one that is wrong, for example an old copy.
    package internal(set) var suspectCount = 0
}
