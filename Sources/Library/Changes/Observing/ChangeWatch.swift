// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import GRDB
import Glibc
import Synchronization

/// A thread that waits for changes to a library by any process, and reports them in commit order.
///
/// After a commit, a process writes a byte to the file `wake`, which inotify reports immediately.
/// The write-ahead log is not a usable signal, because it is written before the change becomes
/// readable. A process may die between the commit and the write, so the history is also polled once
/// a second.
/// Changes of this process take the same path, so that there is a single order. See
/// docs/design/decisions/0012-change-details.md.
final class ChangeWatch: Sendable {
    private static let pause: CInt = 1000

    private let library: Weak
    /// The root folder of the library.
    private let root: Folder
    private let last: Mutex<Int64>
    private let report: @Sendable (Change) -> Void

    private struct Weak {
        weak let library: PhotoLibrary?
    }

    /// - Parameters:
    ///   - number: The number of the last change already known.
    ///   - report: Called on the watching thread for each new change.
    init(
        _ library: PhotoLibrary, after number: Int64, report: @escaping @Sendable (Change) -> Void
    ) {
        self.library = Weak(library: library)
        root = library.root
        last = Mutex(number)
        self.report = report
    }

    /// Starts the thread. It retains this object, but not the library.
    func start() {
        let thread = Thread { [self] in run() }
        thread.name = "photo library"
        thread.start()
    }

    /// Stops reporting changes. The thread ends within a second.
    func stop() { last.withLock { $0 = .max } }

    private func run() {
        let notices = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
        let file = notices < 0 ? nil : OpenFile(descriptor: notices, path: "inotify")
        var isWatching = false
        while last.withLock({ $0 }) < .max {
            if !isWatching, let file {
                // The file may not exist before the first change.
                isWatching = watchWake(file)
            }
            guard deliver() else { return }
            wait(file)
        }
    }

    /// Watches the wake file for writes; false if it cannot be opened.
    private func watchWake(_ notices: OpenFile) -> Bool {
        guard let wake = try? root.file(LibraryName.wake, O_RDONLY) else { return false }
        let path = "/proc/self/fd/\(wake.descriptor)"
        return inotify_add_watch(notices.descriptor, path, UInt32(IN_MODIFY)) >= 0
    }

    private func wait(_ file: OpenFile?) {
        var waited = pollfd(fd: file?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
        guard poll(&waited, 1, Self.pause) > 0, let file else { return }
        var notices = [UInt8](repeating: 0, count: 4096)
        while read(file.descriptor, &notices, notices.count) > 0 {}
    }

    /// Reports new changes; false if the library has been released.
    private func deliver() -> Bool {
        guard let library = library.library else { return false }
        let known = last.withLock { $0 }
        if known == .max { return false }
        // If the library cannot be read now, the next pass retries.
        guard let changes = try? library.read({ try Self.changes(after: known, $0) }) else {
            return true
        }
        for change in changes {
            let isNext = last.withLock { last in
                guard last < change.token.number else { return false }
                last = change.token.number
                return true
            }
            if isNext { report(Change(persistentChange: change, library: library)) }
        }
        return true
    }

    private static func changes(
        after number: Int64, _ database: Database
    ) throws -> [PersistentChange] {
        // Usually there is nothing new, and this query is cheap.
        guard try ChangeTransaction.lastNumber(database) > number else { return [] }
        return try PhotoLibrary.changes(after: number, database)
    }
}
