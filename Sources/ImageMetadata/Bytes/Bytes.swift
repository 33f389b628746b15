// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

/// Immutable bytes at a fixed address: a memory-mapped file or a copy.
///
/// Every access is bounds-checked and returns `nil` if it is out of range.
///
/// `@unchecked Sendable` is safe: the memory is owned by this object, is never written after `init`, and is released
/// on deinit.
package final class Bytes: @unchecked Sendable {
    /// The memory, valid during the lifetime of this object.
    package let memory: UnsafeRawBufferPointer
    private let isMapped: Bool

    /// Maps a file for reading. Returns `nil` and sets `errno` on failure.
    package init?(mapping file: OpenFile, length: Int) {
        guard length > 0,
            let address = mmap(nil, length, PROT_READ, MAP_PRIVATE, file.descriptor, 0),
            address != MAP_FAILED
        else { return nil }
        memory = UnsafeRawBufferPointer(start: address, count: length)
        isMapped = true
    }

    /// Copies bytes into new memory.
    package init(_ bytes: some Collection<UInt8>) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        copy.copyBytes(from: bytes)
        memory = UnsafeRawBufferPointer(copy)
        isMapped = false
    }

    deinit {
        if isMapped {
            munmap(UnsafeMutableRawPointer(mutating: memory.baseAddress), memory.count)
        } else {
            memory.deallocate()
        }
    }

    /// Releases the pages of a mapped file. They are read again on demand.
    package func releasePages() {
        guard isMapped else { return }
        madvise(
            UnsafeMutableRawPointer(mutating: memory.baseAddress), memory.count, MADV_DONTNEED)
    }

    /// The number of bytes.
    package var count: Int { memory.count }

    /// The byte at an offset; `nil` if it is out of range.
    package subscript(offset: Int) -> UInt8? {
        memory.indices.contains(offset) ? memory[offset] : nil
    }

    /// Returns a copy of a range; `nil` if any part of it is out of range.
    package func slice(_ offset: Int, _ length: Int) -> [UInt8]? {
        guard offset >= 0, length >= 0, offset <= count, length <= count - offset else {
            return nil
        }
        return Array(memory[offset..<offset + length])
    }

    /// Returns an unsigned integer of 1 to 8 bytes; `nil` if it is out of range.
    package func number(_ offset: Int, _ length: Int, bigEndian: Bool) -> UInt64? {
        guard offset >= 0, length >= 1, length <= 8, offset <= count, length <= count - offset
        else { return nil }
        return (0..<length).reduce(UInt64(0)) { number, index in
            number << 8 | UInt64(memory[offset + (bigEndian ? index : length - 1 - index)])
        }
    }

    /// Returns the offset of the next occurrence of a byte.
    package func next(_ byte: UInt8, from offset: Int) -> Int? {
        guard offset >= 0, offset < count, let base = memory.baseAddress,
            let found = memchr(base + offset, Int32(byte), count - offset)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// Whether the bytes at an offset equal those of a text.
    package func has(_ text: String, at offset: Int) -> Bool {
        slice(offset, text.utf8.count).map { $0.elementsEqual(text.utf8) } ?? false
    }
}
