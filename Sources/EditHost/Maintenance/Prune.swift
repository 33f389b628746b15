// SPDX-License-Identifier: Apache-2.0

import Foundation
import Library

extension ExtensionHost {
    /// Forgets renditions that can be rendered again with the installed extensions, and removes
    /// the files that nothing needs.
    ///
    /// - Parameters:
    ///   - keep: how many of the newest renditions to keep per asset, besides the current one.
    ///   - date: only renditions made before it are forgotten; nil: all.
    ///   - emptyingTrash: remove what is in the trash now, however young.
    /// - Throws: `LibraryError`: `busy` while others use the library; nothing is removed then.
    package func prune(
        _ library: PhotoLibrary, keep: Int = 0, olderThan date: Date? = nil,
        emptyingTrash: Bool = false
    ) throws -> PruneReport {
        try library.prune(
            keep: keep, olderThan: date, emptyingTrash: emptyingTrash,
            canRender: planner.canRender)
    }
}
