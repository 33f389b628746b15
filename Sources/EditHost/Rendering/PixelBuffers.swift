// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import Foundation
import Glibc
import Synchronization

/// Memory that pixels travel in between runners, used again: making and freeing the pages of a
/// picture costs more than copying its pixels.
///
/// A buffer is only ever used for one extension that nobody vouches for, so none sees in it what
/// another left. It has a fixed size from its beginning: nobody can take pages away from a reader.
final class PixelBuffers: Sendable {
    /// A buffer that somebody has.
    struct Buffer: Sendable {
        let memory: OwnedDescriptor
        fileprivate let owner: SHA256Digest
        fileprivate let capacity: Int
        /// What lies at the end of the picture's place until its last pixels are written.
        fileprivate var mark = Data()

        /// Whether the last of so many bytes were written since the buffer was taken.
        func isFilled(_ byteCount: Int) throws -> Bool {
            try memory.read(count: mark.count, at: byteCount - mark.count) != mark
        }
    }

    /// Larger ones are not kept, in bytes. Smaller pictures than the least are not worth it.
    private static let sizes = 1 << 20...512 << 20
    private let mostKept: Int
    private let kept = Mutex<[Buffer]>([])

    /// - Parameter mostKept: How many wait for their next use, at most.
    init(mostKept: Int) { self.mostKept = mostKept }

    /// A buffer with room for so many bytes, with whatever the owner's last picture left in it; nil
    /// for pictures that are better given memory of their own.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    func take(_ byteCount: Int, for owner: SHA256Digest) throws -> Buffer? {
        guard Self.sizes.contains(byteCount) else { return nil }
        var buffer = try keptOrNew(byteCount, for: owner)
        buffer.mark = Data((0..<16).map { _ in UInt8.random(in: 0...255) })
        lseek(buffer.memory.number, off_t(byteCount - buffer.mark.count), SEEK_SET)
        try buffer.memory.write(buffer.mark)
        return buffer
    }

    private func keptOrNew(_ byteCount: Int, for owner: SHA256Digest) throws -> Buffer {
        let known = kept.withLock { kept -> Buffer? in
            kept.firstIndex { $0.owner == owner && $0.capacity >= byteCount }
                .map { kept.remove(at: $0) }
        }
        if let known { return known }
        let memory = try OwnedDescriptor.memory("pixels")
        guard ftruncate(memory.number, off_t(byteCount)) == 0,
            csandbox_seal_size(memory.number) == 0
        else { throw OwnedDescriptor.failure("cannot be sized", path: "memory for pixels") }
        return Buffer(memory: memory, owner: owner, capacity: byteCount)
    }

    /// Takes a buffer back from which everything has been read, after all went well.
    func giveBack(_ buffer: Buffer) {
        kept.withLock { kept in
            kept.append(buffer)
            if kept.count > mostKept { kept.removeFirst() }
        }
    }
}
