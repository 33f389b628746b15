// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc
import Synchronization

/// A process-wide cache of the files that were read and found to match their hashes. This guards
/// against bit rot and untrusted libraries. A modified file has to be verified again.
///
/// Thread-safe. Two concurrent calls for one file may both read it.
/// See docs/design/decisions/0019-verified-output.md.
final class VerifiedFileCache: Sendable {
    /// The cache for all libraries that this process opens.
    static let shared = VerifiedFileCache()

    /// The attributes of a file at the time of reading. A writer can reset all of them except
    /// `changed`.
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

        /// The current time of the clock that sets file times.
        static var now: Moment {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME_COARSE, &time)
            return Moment(time)
        }

        /// Whether this is more than a few ticks of that clock before another moment.
        func isLongBefore(_ other: Moment) -> Bool {
            // A file system can report any time, even one in the future.
            guard seconds >= 0, seconds <= other.seconds else { return false }
            if other.seconds - seconds > 1 { return true }
            let difference = (other.seconds - seconds) * 1_000_000_000
            return difference + other.nanoseconds - nanoseconds > 100_000_000
        }
    }

    /// The maximum number of entries, beyond which the cache is cleared.
    private static let maximumEntries = 1 << 16
    private let entries = Mutex<Set<Entry>>([])

    /// Whether a file's content has this hash. The file is read unless the result is cached.
    ///
    /// - Throws: `LibraryError` with `cannotRead`.
    func holds(_ hash: SHA256Digest, _ file: OpenFile) throws -> Bool {
        let before = Entry(try file.status(), hash)
        if entries.withLock({ $0.contains(before) }) { return true }
        let start = Moment.now
        guard try FileBytes.hash(of: file) == hash else { return false }
        // Another write within the same clock tick would be invisible, so the result is not cached.
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
