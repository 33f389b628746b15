// SPDX-License-Identifier: Apache-2.0

import Glibc

extension OpenFile {
    /// A range of a file that is either stored or a hole.
    package enum Extent: Hashable, Sendable {
        /// A range of stored bytes.
        case data(Range<Int>)
        /// A range of zeros that the file system does not store.
        case hole(Range<Int>)
        /// The end of the file.
        case end
    }

    // Glibc's headers define these only with `_GNU_SOURCE`.
    private static let seekData: CInt = 3
    private static let seekHole: CInt = 4

    /// Returns the extent at an offset. If the file system does not report holes, the whole file is data.
    package func extent(from offset: Int) throws(SystemError) -> Extent {
        let data = lseek(descriptor, off_t(offset), Self.seekData)
        if data < 0 {
            // ENXIO: the rest of the file is a hole, or the offset is at its end.
            guard errno == ENXIO else { return .data(offset..<Int.max) }
            let size = Int(try systemStatus().st_size)
            return size > offset ? .hole(offset..<size) : .end
        }
        if data > offset { return .hole(offset..<Int(data)) }
        let hole = lseek(descriptor, off_t(offset), Self.seekHole)
        return .data(offset..<(hole > offset ? Int(hole) : Int.max))
    }

    /// Returns an upper bound of the stored bytes. A sparse file stores fewer bytes than its length.
    package func storedByteCount() throws(SystemError) -> Int {
        let status = try systemStatus()
        let (bytes, isTooMany) = Int(status.st_blocks).multipliedReportingOverflow(by: 512)
        return isTooMany ? Int(status.st_size) : min(Int(status.st_size), bytes)
    }
}
