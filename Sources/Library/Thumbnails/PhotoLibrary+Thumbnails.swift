// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess

extension PhotoLibrary {
    /// Returns the library's thumbnail store.
    ///
    /// - Parameter limit: The maximum total size of all entries in bytes.
    package func thumbnails(limit: Int) -> ThumbnailStore {
        ThumbnailStore(root: root, limit: limit)
    }
}
