// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

/// How the folders of stored files are at a moment. As long as one has not changed, no file has come or gone in it.
package struct BlobFolders: Sendable {
    /// A folder, as it was at a time. The time is that of its last change of any kind, which no program can set.
    package struct Moment: Hashable, Sendable {
        /// The folder's inode, bit by bit.
        let inode: Int64
        /// When it changed last, in nanoseconds since 1970.
        let changed: Int64
    }

    /// The names of all folders that there can be.
    package static let names = (0..<256).map { number in
        let digits = String(number, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }
    /// A change in the very tick of the clock in which a folder is looked at would not be noticed; some file
    /// systems have ticks of two seconds.
    /// See docs/design/decisions/0035-plans-and-claims.md.
    private static let margin: Int64 = 3_000_000_000

    private let start: Int64?
    private let moments: [String: Moment]

    /// Looks at the folders of a library as they are now.
    ///
    /// - Parameter now: the time in nanoseconds since 1970; nil: that of the clock.
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

    /// The folders that are not as they were then, or that nothing was stored of.
    package func changed(since stored: [String: Moment]) -> [String] {
        Self.names.filter { moments[$0] == nil || moments[$0] != stored[$0] }
    }

    /// A folder, if it will be noticed when it changes from now on.
    func storable(_ name: String) -> Moment? {
        guard let start, let moment = moments[name] else { return nil }
        let (end, isTooEarly) = start.subtractingReportingOverflow(Self.margin)
        return !isTooEarly && moment.changed <= end ? moment : nil
    }
}
