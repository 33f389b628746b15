// SPDX-License-Identifier: Apache-2.0

import Library
import Synchronization

/// The libraries that the command has opened. They are closed before the program ends: another thread
/// may still have the last reference to one, and what it leaves in `staging/` would stay.
enum OpenLibraries {
    private static let opened = Mutex<[PhotoLibrary]>([])

    static func add(_ library: PhotoLibrary) { opened.withLock { $0.append(library) } }

    static func close() {
        let libraries = opened.withLock { opened in
            defer { opened = [] }
            return opened
        }
        // What was committed is safe, whatever SQLite says.
        for library in libraries { try? library.close() }
    }
}
