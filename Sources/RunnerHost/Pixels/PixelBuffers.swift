// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import FileAccess
import Foundation
import Glibc
import RunnerProtocol
import Synchronization

/// Recycled memory for the pixels passed between runners. Allocating and freeing the pages of a picture costs more than
/// copying its pixels.
///
/// A buffer serves only one untrusted extension, or a fixed pair of a writer and a reader, so no extension sees pixels
/// that another one left behind. It serves either as input or as output, so an extension cannot keep access to its
/// later input. Its size is fixed, so no process can take pages away from a reader. See
/// docs/design/decisions/0009-pixels-only.md.
package final class PixelBuffers: Sendable {
    /// The owner and the purpose of a buffer.
    package enum Use: Hashable, Sendable {
        /// Read by the extension with this digest.
        case input(SHA256Digest)
        /// Read by the extension beside its input, as the current state of the edit.
        case placeholder(SHA256Digest)
        /// Written by the extension with this digest.
        case output(SHA256Digest)
        /// Written by the first extension and read by the second.
        case between(SHA256Digest, SHA256Digest)
        /// Written by the extension, for previews. Their number is unlimited and a runner is assumed to keep its
        /// descriptors, so this memory is always recycled.
        case preview(SHA256Digest)
        /// Frames of a video, for runners without untrusted extensions.
        case frames
    }

    /// A buffer taken from the pool.
    package struct Buffer: Sendable {
        package let memory: OpenFile
        /// `nil` for a buffer of one picture, whose size can still be sealed.
        fileprivate let use: Use?
        fileprivate let capacity: Int
        /// Random bytes at the end of the pixels, until the last pixels overwrite them.
        fileprivate var mark = Data()

        /// True if the buffer is recycled and stays in the runner's memory.
        package var isReused: Bool { use != nil }

        /// True if an extension may still change the pixels it wrote.
        package var isChangeable: Bool {
            switch use {
            case .output, .between, .preview: true
            case .input, .placeholder, .frames, nil: false
            }
        }

        /// Returns whether the last of `byteCount` bytes were written since the buffer was taken.
        package func isFilled(_ byteCount: Int) throws -> Bool {
            guard try memory.byteCount() >= byteCount else { return false }
            // A picture shorter than a mark has none, so it cannot be checked.
            return try mark.isEmpty
                || memory.read(count: mark.count, at: byteCount - mark.count) != mark
        }
    }

    /// The sizes of recycled buffers, in bytes. Larger ones are not kept, and smaller ones are not worth it.
    private static let sizes = 1 << 20...512 << 20
    /// The maximum total size of idle buffers, in bytes.
    private static let maximumIdleBytes = 1 << 30
    private let idle = Mutex<[Buffer]>([])

    /// Takes a buffer of at least `byteCount` bytes, which never grows.
    ///
    /// A recycled buffer still contains the last picture. Pictures outside the recycled sizes get empty memory of
    /// their own.
    ///
    /// - Parameter use: The owner and the purpose; `nil` for a buffer of one picture.
    /// - Throws: `HostError` with `fileFailed`.
    package func take(_ byteCount: Int, for use: Use?) throws -> Buffer {
        let buffer: Buffer
        if case .preview = use, byteCount <= Self.sizes.upperBound {
            // Previews of nearly the same size share a buffer.
            var room = Self.sizes.lowerBound
            while room < byteCount { room *= 2 }
            buffer = try recycledOrNew(room, for: use)
        } else if let use, Self.sizes.contains(byteCount) {
            buffer = try recycledOrNew(byteCount, for: use)
        } else {
            buffer = try Self.make(byteCount, for: nil, seal: csandbox_seal_growth)
        }
        return try marked(buffer, byteCount)
    }

    /// Takes a buffer of a fixed size that one runner reads while another writes.
    ///
    /// - Parameter byteCount: A size that ``canShare(_:)`` accepts.
    /// - Throws: `HostError` with `fileFailed`.
    package func takeShared(_ byteCount: Int, for use: Use) throws -> Buffer {
        try marked(try recycledOrNew(byteCount, for: use), byteCount)
    }

    /// Whether pixels of this size, in bytes, are read while they are written. Larger ones get memory that no runner
    /// keeps mapped.
    package static func canShare(_ byteCount: Int) -> Bool { 1...sizes.upperBound ~= byteCount }

    private func marked(_ buffer: Buffer, _ byteCount: Int) throws -> Buffer {
        var buffer = buffer
        // Discards the mark of the previous picture.
        buffer.mark = Data()
        guard byteCount >= 16 else { return buffer }
        buffer.mark = Data((0..<16).map { _ in UInt8.random(in: 0...255) })
        lseek(buffer.memory.descriptor, off_t(byteCount - buffer.mark.count), SEEK_SET)
        try buffer.memory.append(buffer.mark)
        return buffer
    }

    /// Takes a recyclable buffer for a video frame of any size, since many frames follow one another.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    package func takeFrame(_ byteCount: Int, for use: Use) throws -> Buffer {
        try recycledOrNew(byteCount + VideoWriterSettings.readAhead, for: use)
    }

    private func recycledOrNew(_ byteCount: Int, for use: Use?) throws -> Buffer {
        let known = idle.withLock { idle -> Buffer? in
            idle.firstIndex { $0.use == use && $0.capacity >= byteCount }
                .map { idle.remove(at: $0) }
        }
        return try known ?? Self.make(byteCount, for: use, seal: csandbox_seal_size)
    }

    private static func make(
        _ byteCount: Int, for use: Use?, seal: (Int32) -> Int32
    ) throws -> Buffer {
        let memory = try OpenFile.memory("pixels")
        // Allocating pages with write calls takes half the time of faulting them in one by one.
        guard use == nil || fill(memory, byteCount),
            ftruncate(memory.descriptor, off_t(byteCount)) == 0, seal(memory.descriptor) == 0
        else {
            throw HostError.file("cannot be sized", path: "memory for pixels")
        }
        return Buffer(memory: memory, use: use, capacity: byteCount)
    }

    /// Writes zeros. Returns whether there was enough memory.
    private static func fill(_ memory: OpenFile, _ byteCount: Int) -> Bool {
        let zeros = [UInt8](repeating: 0, count: min(byteCount, 1 << 16))
        return stride(from: 0, to: byteCount, by: zeros.count).allSatisfy { place in
            (try? zeros.prefix(byteCount - place).withUnsafeBytes { bytes in
                try memory.write(bytes, at: place)
            }) != nil
        }
    }

    /// Returns a buffer of sealed memory that holds one picture.
    package static func sealed(_ memory: OpenFile, _ byteCount: Int) -> Buffer {
        Buffer(memory: memory, use: nil, capacity: byteCount)
    }

    /// Recycles a buffer that has been read completely, after a successful job. Frees the oldest buffers beyond the
    /// limit.
    package func recycle(_ buffer: Buffer) {
        guard buffer.isReused else { return }
        idle.withLock { idle in
            idle.append(buffer)
            while idle.reduce(0, { $0 + $1.capacity }) > Self.maximumIdleBytes {
                idle.removeFirst()
            }
        }
    }
}
