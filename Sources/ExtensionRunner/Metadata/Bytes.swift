// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

/// Bytes that do not change and do not move: a file mapped into memory, or a copy.
///
/// Every way in is checked against the length: what is asked for outside is nil, never a trap.
///
/// `@unchecked Sendable` is safe: the memory is mapped or allocated for this object alone, is
/// never written after `init`, and is released when the object goes away.
final class Bytes: @unchecked Sendable {
    /// The memory, valid as long as this object lives.
    let memory: UnsafeRawBufferPointer
    private let isMapped: Bool

    /// Maps a file for reading; nil with `errno` set where that fails.
    init?(mapping file: OpenFile, length: Int) {
        guard length > 0,
            let address = mmap(nil, length, PROT_READ, MAP_PRIVATE, file.descriptor, 0),
            address != MAP_FAILED
        else { return nil }
        memory = UnsafeRawBufferPointer(start: address, count: length)
        isMapped = true
    }

    /// Copies bytes.
    init(_ bytes: some Collection<UInt8>) {
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

    /// Gives back the memory of a file's pages, which are read again where they are wanted again.
    func forgetPages() {
        guard isMapped else { return }
        madvise(
            UnsafeMutableRawPointer(mutating: memory.baseAddress), memory.count, MADV_DONTNEED)
    }

    /// How many there are.
    var count: Int { memory.count }

    /// One byte.
    subscript(offset: Int) -> UInt8? {
        memory.indices.contains(offset) ? memory[offset] : nil
    }

    /// A copy of a part, which must lie inside as a whole.
    func slice(_ offset: Int, _ length: Int) -> [UInt8]? {
        guard offset >= 0, length >= 0, offset <= count, length <= count - offset else {
            return nil
        }
        return Array(memory[offset..<offset + length])
    }

    /// An unsigned number of 1 to 8 bytes.
    func number(_ offset: Int, _ length: Int, bigEndian: Bool) -> UInt64? {
        guard offset >= 0, length >= 1, length <= 8, offset <= count, length <= count - offset
        else { return nil }
        return (0..<length).reduce(UInt64(0)) { number, index in
            number << 8 | UInt64(memory[offset + (bigEndian ? index : length - 1 - index)])
        }
    }

    /// Where a byte lies next.
    func next(_ byte: UInt8, from offset: Int) -> Int? {
        guard offset >= 0, offset < count, let base = memory.baseAddress,
            let found = memchr(base + offset, Int32(byte), count - offset)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// Whether these bytes lie at the offset.
    func has(_ text: String, at offset: Int) -> Bool {
        slice(offset, text.utf8.count).map { $0.elementsEqual(text.utf8) } ?? false
    }
}
