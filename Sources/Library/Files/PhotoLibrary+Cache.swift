// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Glibc

/// Small files in `cache/`. They may be deleted at any time, and nothing in them is trusted.
extension PhotoLibrary {
    /// Opens a file of the cache. Returns nil if it is missing or cannot be read.
    package func openCachedFile(_ name: String) -> OpenFile? {
        try? root.folderIfPresent(LibraryName.cache)?.file(name, O_RDONLY)
    }

    /// Replaces a file of the cache. Failures are ignored. Nothing is written if the library is
    /// open read-only.
    package func writeCachedFile(_ data: Data, as name: String) {
        guard (try? writer()) != nil else { return }
        try? root.makeFolderIfNeeded(LibraryName.cache).writeAtomically(name) { file in
            try data.withUnsafeBytes { try file.append($0) }
        }
    }
}
