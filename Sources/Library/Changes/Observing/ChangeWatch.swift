// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import GRDB
import Glibc
import Synchronization

/// A thread that waits for changes of a library, whoever makes them, and tells of them in order.
///
/// Whoever has committed a change writes a byte into the file `wake`, which the kernel tells of at
/// once. The log is no sign: it is written before the change can be read. Somebody may die between
/// the two, so the history is looked at once a second as well.
/// Decision 12: its own process's changes take the same path, so that there is one order.
final class ChangeWatch: Sendable {
    private static let pause: CInt = 1000

    private let library: Weak
    /// The library's folder.
    private let root: Folder
    private let last: Mutex<Int64>
    private let tell: @Sendable (Change) -> Void

    private struct Weak {
        weak let library: PhotoLibrary?
    }

    /// - Parameters:
    ///   - number: of the last change that is known already.
    ///   - tell: called on the thread.
    init(
        _ library: PhotoLibrary, after number: Int64, tell: @escaping @Sendable (Change) -> Void
    ) {
        self.library = Weak(library: library)
        root = library.root
        last = Mutex(number)
        self.tell = tell
    }

    /// Starts the thread, which keeps this object, and not the library, alive.
    func start() {
        let thread = Thread { [self] in run() }
        thread.name = "photo library"
        thread.start()
    }

    /// Lets the thread end, within a second; nothing is told of any more.
    func stop() { last.withLock { $0 = .max } }

    private func run() {
        let notices = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
        let file = notices < 0 ? nil : OpenFile(descriptor: notices, path: "inotify")
        var isWatching = false
        while last.withLock({ $0 }) < .max {
            if !isWatching, let file {
                // It may not be there before the first change.
                isWatching = watchWake(file)
            }
            guard deliver() else { return }
            wait(file)
        }
    }

    /// Asks to be told of writes to the file; false where there is none to be opened.
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

    /// Tells of what is new; false where the library is gone.
    private func deliver() -> Bool {
        guard let library = library.library else { return false }
        let known = last.withLock { $0 }
        if known == .max { return false }
        // What cannot be read now is told of later.
        guard let changes = try? library.read({ try Self.changes(after: known, $0) }) else {
            return true
        }
        for change in changes {
            let isNext = last.withLock { last in
                guard last < change.token.number else { return false }
                last = change.token.number
                return true
            }
            if isNext { tell(Change(persistentChange: change, library: library)) }
        }
        return true
    }

    private static func changes(
        after number: Int64, _ database: Database
    ) throws -> [PersistentChange] {
        // Nearly always there is nothing, which is found out at once.
        guard try ChangeTransaction.lastNumber(database) > number else { return [] }
        return try PhotoLibrary.changes(after: number, database)
    }
}
