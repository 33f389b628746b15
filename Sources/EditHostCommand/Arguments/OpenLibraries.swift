// SPDX-License-Identifier: Apache-2.0

import Library
import Synchronization

/// The libraries that the command has opened.
///
/// They are closed explicitly before the program ends. Another thread may still hold the last reference to one,
/// and its files in `staging/` would remain.
enum OpenLibraries {
    private static let opened = Mutex<[PhotoLibrary]>([])

    static func add(_ library: PhotoLibrary) { opened.withLock { $0.append(library) } }

    static func close() {
        let libraries = opened.withLock { opened in
            defer { opened = [] }
            return opened
        }
        // Commits are durable, so an error of SQLite at this point is harmless.
        for library in libraries { try? library.close() }
    }
}
