// SPDX-License-Identifier: Apache-2.0

import Foundation
import Library

extension ExtensionHost {
    /// Removes renditions that can be re-rendered with the installed extensions, files that are not used, and assets
    /// that have been in the trash for 30 days.
    ///
    /// - Parameters:
    ///   - keep: The number of newest renditions to keep per asset, besides the current one.
    ///   - date: The date before which removed renditions were made; nil means no limit.
    ///   - emptyingTrash: Whether to remove unused files now, ignoring their age.
    /// - Throws: `LibraryError` with `busy` if another process uses the library. In that case, nothing is removed.
    package func prune(
        _ library: PhotoLibrary, keep: Int = 0, olderThan date: Date? = nil,
        emptyingTrash: Bool = false
    ) throws -> PruneReport {
        try library.prune(
            keep: keep, olderThan: date, emptyingTrash: emptyingTrash,
            canRender: planner.canRender)
    }
}
