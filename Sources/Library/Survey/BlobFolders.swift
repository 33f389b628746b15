// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

/// A snapshot of the shard folders under `blobs/`. As long as a folder is unchanged, no file was
/// added to it or removed from it.
package struct BlobFolders: Sendable {
    /// The state of a folder. The time is that of its last status change, which programs cannot
    /// set.
    package struct Moment: Hashable, Sendable {
        /// The bit pattern of the folder's inode number.
        let inode: Int64
        /// The time of the last status change, in nanoseconds since 1970.
        let changed: Int64
    }

    /// The names of all possible folders.
    package static let names = (0..<256).map { number in
        let digits = String(number, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }
    /// The minimum age of a change, in nanoseconds. A later change within the same clock tick would
    /// be invisible, and some file systems have ticks of two seconds.
    /// See docs/design/decisions/0035-plans-and-claims.md.
    private static let margin: Int64 = 3_000_000_000

    private let start: Int64?
    private let moments: [String: Moment]

    /// Takes a snapshot of a library's folders.
    ///
    /// - Parameter now: The time in nanoseconds since 1970; nil for the current time.
    package init(_ library: PhotoLibrary, now: Int64? = nil) {
        start = now ?? Self.now
        guard let blobs = try? library.root.folder(LibraryName.blobs),
            let device = try? blobs.status().st_dev
        else {
            moments = [:]
            return
        }
        var moments: [String: Moment] = [:]
        for name in Self.names {
            guard let status = try? blobs.status(name), status.isFolder, status.st_dev == device,
                let changed = Self.nanoseconds(status.st_ctim)
            else { continue }
            moments[name] = Moment(
                inode: Int64(bitPattern: UInt64(status.st_ino)), changed: changed)
        }
        self.moments = moments
    }

    private static var now: Int64? {
        var now = timespec()
        return clock_gettime(CLOCK_REALTIME, &now) == 0 ? nanoseconds(now) : nil
    }

    private static func nanoseconds(_ time: timespec) -> Int64? {
        let (seconds, isTooMany) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooMuch) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
        return isTooMany || isTooMuch ? nil : sum
    }

    /// Returns the names of the folders that differ from the stored states or have none.
    package func changed(since stored: [String: Moment]) -> [String] {
        Self.names.filter { moments[$0] == nil || moments[$0] != stored[$0] }
    }

    /// Returns the state of a folder if every later change to it will be detectable, otherwise nil.
    func storable(_ name: String) -> Moment? {
        guard let start, let moment = moments[name] else { return nil }
        let (end, isTooEarly) = start.subtractingReportingOverflow(Self.margin)
        return !isTooEarly && moment.changed <= end ? moment : nil
    }
}
