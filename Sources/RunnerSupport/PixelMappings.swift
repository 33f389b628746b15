// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

/// A cache of mapped memory files whose pixels are reused. Mapping and unmapping the pages of a picture costs more than
/// reading it.
///
/// The host has sealed the size of such files, so no process can truncate them.
package final class PixelMappings: Sendable {
    /// A file mapped into memory, unmapped when it is deallocated.
    ///
    /// `@unchecked Sendable` is safe: the address never changes. The memory is written only by the one request that
    /// has the file as its output.
    package final class Mapping: @unchecked Sendable {
        /// The mapped memory.
        package let memory: UnsafeMutableRawBufferPointer
        fileprivate let key: Key

        fileprivate init?(_ file: OpenFile, _ key: Key) {
            let protection = key.isWritable ? PROT_READ | PROT_WRITE : PROT_READ
            guard
                let address = mmap(
                    nil, key.length, protection, MAP_SHARED | MAP_POPULATE, file.descriptor, 0),
                address != MAP_FAILED
            else { return nil }
            memory = UnsafeMutableRawBufferPointer(start: address, count: key.length)
            self.key = key
        }

        deinit { munmap(memory.baseAddress, memory.count) }
    }

    /// The identity of a file. The inode number of a mapped file is not reused.
    fileprivate struct Key: Hashable {
        let device: UInt64
        let number: UInt64
        let length: Int
        let isWritable: Bool
    }

    /// The maximum number of mappings: one input and one output, for two sizes each.
    private static let maximumCount = 4
    private let cache = LockedValue([Mapping]())

    /// Creates an empty cache.
    package init() {}

    /// Returns the memory of a file; nil with `errno` set if it cannot be mapped.
    package func mapping(of file: OpenFile, isWritable: Bool) -> Mapping? {
        var status = stat()
        guard fstat(file.descriptor, &status) == 0, status.st_size > 0 else { return nil }
        let key = Key(
            device: UInt64(status.st_dev), number: UInt64(status.st_ino),
            length: Int(status.st_size), isWritable: isWritable)
        if let known = cache.access({ cache in cache.first { $0.key == key } }) { return known }
        guard let mapping = Mapping(file, key) else { return nil }
        cache.access { cache in
            cache.append(mapping)
            if cache.count > Self.maximumCount { cache.removeFirst() }
        }
        return mapping
    }
}
