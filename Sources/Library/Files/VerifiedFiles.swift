// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc
import Synchronization

/// The files that this process has read and found to hold what they should: disks forget, and a library may
/// be somebody else's. A file that was written to since is another one.
///
/// Any thread may ask; two that ask about one file at once may both read it.
/// See docs/design/decisions/0019-verified-output.md.
final class VerifiedFiles: Sendable {
    /// For all libraries that this process opens.
    static let shared = VerifiedFiles()

    /// A file as it was when it was read. Whoever writes to it can set back all but `changed`.
    private struct Entry: Hashable {
        let hash: SHA256Digest
        let device: dev_t
        let inode: ino_t
        let size: Int
        let modified: Moment
        let changed: Moment

        init(_ status: stat, _ hash: SHA256Digest) {
            self.hash = hash
            device = status.st_dev
            inode = status.st_ino
            size = Int(status.st_size)
            modified = Moment(status.st_mtim)
            changed = Moment(status.st_ctim)
        }
    }

    private struct Moment: Hashable {
        let seconds: Int
        let nanoseconds: Int

        init(_ time: timespec) {
            seconds = time.tv_sec
            nanoseconds = time.tv_nsec
        }

        /// Now, by the clock that gives files their times.
        static var now: Moment {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME_COARSE, &time)
            return Moment(time)
        }

        /// Whether it is more than a few ticks of that clock before another.
        func isLongBefore(_ other: Moment) -> Bool {
            // A file system may say anything.
            guard seconds >= 0, seconds <= other.seconds else { return false }
            if other.seconds - seconds > 1 { return true }
            let difference = (other.seconds - seconds) * 1_000_000_000
            return difference + other.nanoseconds - nanoseconds > 100_000_000
        }
    }

    /// All are forgotten when there are more.
    private static let maximumEntries = 1 << 16
    private let entries = Mutex<Set<Entry>>([])

    /// Whether a file has the bytes of a hash. It is read unless that is known.
    ///
    /// - Throws: `LibraryError` with `cannotRead`.
    func holds(_ hash: SHA256Digest, _ file: OpenFile) throws -> Bool {
        let before = Entry(try file.status(), hash)
        if entries.withLock({ $0.contains(before) }) { return true }
        let start = Moment.now
        guard try FileBytes.hash(of: file) == hash else { return false }
        // Another write within the same tick of the clock would not show.
        guard Entry(try file.status(), hash) == before, before.changed.isLongBefore(start) else {
            return true
        }
        entries.withLock { entries in
            if entries.count >= Self.maximumEntries { entries = [] }
            entries.insert(before)
        }
        return true
    }
}
