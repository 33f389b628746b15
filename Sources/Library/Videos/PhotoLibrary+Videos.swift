// SPDX-License-Identifier: Apache-2.0

import FileAccess

extension PhotoLibrary {
    /// Returns the store of the library's converted videos. Nothing is stored if the library is
    /// open read-only.
    ///
    /// - Parameter limit: The maximum total size of all entries in bytes.
    package func convertedVideos(limit: Int) -> VideoStore {
        VideoStore(root: root, limit: (try? writer()) == nil ? 0 : limit)
    }
}
