// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

/// Memory files of pixels that come again, kept mapped: entering and leaving the pages of a picture
/// costs more than reading it.
///
/// The host has fixed the size of such files, so nobody can take pages away.
package final class PixelMappings: Sendable {
    /// A file mapped into memory, unmapped when nobody needs it any more.
    ///
    /// `@unchecked Sendable` is safe: the address never changes. What lies there is only written by
    /// the one request that has the file as its output.
    package final class Mapping: @unchecked Sendable {
        /// Where it lies.
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

    /// What makes a file the same one; a mapped file's number is not given to another.
    fileprivate struct Key: Hashable {
        let device: UInt64
        let number: UInt64
        let length: Int
        let isWritable: Bool
    }

    /// One that is read and one that is written, for two sizes each.
    private static let maximumKept = 4
    private let kept = Monitor([Mapping]())

    /// Makes an empty collection.
    package init() {}

    /// The memory of a file; nil with `errno` set where it cannot be mapped.
    package func mapping(of file: OpenFile, isWritable: Bool) -> Mapping? {
        var status = stat()
        guard fstat(file.descriptor, &status) == 0, status.st_size > 0 else { return nil }
        let key = Key(
            device: UInt64(status.st_dev), number: UInt64(status.st_ino),
            length: Int(status.st_size), isWritable: isWritable)
        if let known = kept.access({ kept in kept.first { $0.key == key } }) { return known }
        guard let mapping = Mapping(file, key) else { return nil }
        kept.access { kept in
            kept.append(mapping)
            if kept.count > Self.maximumKept { kept.removeFirst() }
        }
        return mapping
    }
}
