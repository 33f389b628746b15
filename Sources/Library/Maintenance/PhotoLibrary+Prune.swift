// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

extension PhotoLibrary {
    /// Removes renditions that can be re-rendered, files that no row refers to, and assets that
    /// have been in the trash for ``TrashPeriod/days``. The library is locked
    /// exclusively during this call.
    ///
    /// The files of those renditions are removed immediately. Other unused files, such as those of
    /// removed assets, are moved to the folder `trash` and removed by a `prune` 30 days later. All
    /// files of assets in the trash are in use. Originals, lossless bases, and the renditions of
    /// versions and of current states are never removed.
    ///
    /// - Parameters:
    ///   - keep: The number of other renditions to keep per asset, the newest first.
    ///   - date: The date before which removable renditions must have been made; nil for all.
    ///   - emptyingTrash: Whether to empty the folder `trash` now, regardless of age. Assets in the
    ///     trash are kept.
    ///   - canRender: Whether these edits, in order, can be re-rendered from the content stored
    ///     below them. Edits made by applications cannot, regardless of the result.
    /// - Throws: `LibraryError` with `busy` during concurrent changes to the library. With
    ///   `damaged` if the database fails its check; then nothing is removed.
    package func prune(
        keep: Int = 0, olderThan date: Date? = nil, emptyingTrash: Bool = false,
        canRender: ([Edit]) -> Bool = { _ in true }
    ) throws -> PruneReport {
        let (pool, session) = try writer()
        let lock = try LibraryLock.exclusive(root)
        defer { withExtendedLifetime(lock) {} }
        let reserve = ReserveFile(root: root)
        if options.usesReserve { reserve.releaseIfNeeded() }
        defer { reserve.makeIfNeeded() }
        var pruning = Pruning(
            store: store, author: author(session), keep: max(0, keep), date: date,
            emptiesTrash: emptyingTrash)
        return try translatingDatabaseErrors(path: path) {
            try pool.writeWithoutTransaction { database in
                try pruning.run(database, canRender: canRender)
            }
        }
    }
}
