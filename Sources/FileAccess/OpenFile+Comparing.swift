// SPDX-License-Identifier: Apache-2.0

import Glibc

extension OpenFile {
    /// Returns whether another file has the same content. Both are read in blocks of 1 MiB.
    package func hasBytes(of other: OpenFile) throws(SystemError) -> Bool {
        let length = 1 << 20
        let own = UnsafeMutableRawPointer.allocate(byteCount: length, alignment: 16)
        let others = UnsafeMutableRawPointer.allocate(byteCount: length, alignment: 16)
        defer {
            own.deallocate()
            others.deallocate()
        }
        var offset = 0
        while true {
            let count = try fill(.init(start: own, count: length), at: offset)
            guard try other.fill(.init(start: others, count: length), at: offset) == count else {
                return false
            }
            guard memcmp(own, others, count) == 0 else { return false }
            if count < length { return true }
            offset += count
        }
    }
}
