// SPDX-License-Identifier: Apache-2.0

import Glibc

extension OpenFile {
    /// A stretch of a file.
    package enum Extent: Hashable, Sendable {
        /// Bytes to be read.
        case data(Range<Int>)
        /// Zeros that the file system does not store.
        case hole(Range<Int>)
        /// The file ends here.
        case end
    }

    // Glibc's headers define these for GNU programs only.
    private static let seekData: CInt = 3
    private static let seekHole: CInt = 4

    /// The stretch of the file that begins at an offset. On a file system that reports no holes, all of the file is data.
    package func extent(from offset: Int) throws(SystemError) -> Extent {
        let data = lseek(descriptor, off_t(offset), Self.seekData)
        if data < 0 {
            // What has no data any more ends with a hole, or has ended.
            guard errno == ENXIO else { return .data(offset..<Int.max) }
            let size = Int(try systemStatus().st_size)
            return size > offset ? .hole(offset..<size) : .end
        }
        if data > offset { return .hole(offset..<Int(data)) }
        let hole = lseek(descriptor, off_t(offset), Self.seekHole)
        return .data(offset..<(hole > offset ? Int(hole) : Int.max))
    }

    /// How many bytes of a file the file system stores, at most: a file with holes has fewer than its length.
    package func storedByteCount() throws(SystemError) -> Int {
        let status = try systemStatus()
        let (bytes, isTooMany) = Int(status.st_blocks).multipliedReportingOverflow(by: 512)
        return isTooMany ? Int(status.st_size) : min(Int(status.st_size), bytes)
    }

    /// How many bytes can still be written to the file system of this file or folder, and how many it has; nil if the
    /// system does not report it.
    package var space: (free: Int, total: Int)? {
        var status = statvfs()
        // File systems without a size of their own report 0 blocks.
        guard fstatvfs(descriptor, &status) == 0, status.f_blocks > 0 else { return nil }
        let unit = Int(clamping: status.f_frsize)
        func bytes(_ count: some BinaryInteger) -> Int {
            let (bytes, isTooMany) = Int(clamping: count).multipliedReportingOverflow(by: unit)
            return isTooMany ? .max : bytes
        }
        return (bytes(status.f_bavail), bytes(status.f_blocks))
    }
}
