// SPDX-License-Identifier: Apache-2.0

import Glibc

extension OpenFile {
    /// The free and total space of the file system in bytes; `nil` if the system does not report it.
    package var space: (free: Int, total: Int)? {
        var status = statvfs()
        // File systems without a fixed size report 0 blocks.
        guard fstatvfs(descriptor, &status) == 0, status.f_blocks > 0 else { return nil }
        let unit = Int(clamping: status.f_frsize)
        func bytes(_ count: some BinaryInteger) -> Int {
            let (bytes, isTooMany) = Int(clamping: count).multipliedReportingOverflow(by: unit)
            return isTooMany ? .max : bytes
        }
        return (bytes(status.f_bavail), bytes(status.f_blocks))
    }
}
