// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import FileAccess
import Foundation
import Glibc
import RunnerProtocol
import Synchronization

/// Memory that pixels travel in between runners, used again: making and freeing the pages of a
/// picture costs more than copying its pixels.
///
/// A buffer is only ever used for one untrusted extension, or for two of which one always reads what the other writes, so that
/// none sees in it what another left; and either as what it reads or as what it writes, so that it cannot keep a hold on what it
/// will be given. It has a fixed size from its beginning: nobody can take pages away from a reader.
/// See docs/design/decisions/0009-pixels-only.md.
final class PixelBuffers: Sendable {
    /// Whose a buffer is, and what for.
    enum Use: Hashable, Sendable {
        /// The extension with this digest reads it.
        case input(SHA256Digest)
        /// It reads it beside that, as the current state of what it edits.
        case placeholder(SHA256Digest)
        /// It writes it.
        case output(SHA256Digest)
        /// The first one writes what the second one reads.
        case between(SHA256Digest, SHA256Digest)
        /// It writes the pixels of previews. As there may be any number of those, and a runner is
        /// taken to keep what it was given, they always use memory again.
        case preview(SHA256Digest)
        /// Frames of a video, for runners without untrusted extensions.
        case frames
    }

    /// A buffer that somebody has.
    struct Buffer: Sendable {
        let memory: OpenFile
        /// Nil: it is for one picture, and its size can still be sealed.
        fileprivate let use: Use?
        fileprivate let capacity: Int
        /// What lies at the end of the picture's place until its last pixels are written.
        fileprivate var mark = Data()

        /// Whether it is used again, and stays in the runner's memory.
        var isReused: Bool { use != nil }

        /// Whether an extension may still change what it wrote there.
        var isChangeable: Bool {
            switch use {
            case .output, .between, .preview: true
            case .input, .placeholder, .frames, nil: false
            }
        }

        /// Whether the last of so many bytes were written since the buffer was taken.
        func isFilled(_ byteCount: Int) throws -> Bool {
            guard try memory.byteCount() >= byteCount else { return false }
            // Of less than a mark there is nothing to tell it by.
            return try mark.isEmpty
                || memory.read(count: mark.count, at: byteCount - mark.count) != mark
        }
    }

    /// Larger ones are not kept, in bytes. Smaller pictures than the least are not worth it.
    private static let sizes = 1 << 20...512 << 20
    /// All that wait for their next use together, in bytes.
    private static let maximumKept = 1 << 30
    private let kept = Mutex<[Buffer]>([])

    /// A buffer with room for so many bytes: with whatever the last picture left in it, or, for
    /// pictures that are better given memory of their own, empty. It never becomes larger.
    ///
    /// - Parameter use: nil: it is for one picture.
    /// - Throws: `HostError` with `fileFailed`.
    func take(_ byteCount: Int, for use: Use?) throws -> Buffer {
        let buffer: Buffer
        if case .preview = use, byteCount <= Self.sizes.upperBound {
            // Previews of nearly the same size share one.
            var room = Self.sizes.lowerBound
            while room < byteCount { room *= 2 }
            buffer = try keptOrNew(room, for: use)
        } else if let use, Self.sizes.contains(byteCount) {
            buffer = try keptOrNew(byteCount, for: use)
        } else {
            buffer = try Self.make(byteCount, for: nil, seal: csandbox_seal_growth)
        }
        return try marked(buffer, byteCount)
    }

    /// A buffer with room for so many bytes, of a fixed size, that one runner reads while another writes.
    ///
    /// - Parameter byteCount: one that ``canShare(_:)``.
    /// - Throws: `HostError` with `fileFailed`.
    func takeShared(_ byteCount: Int, for use: Use) throws -> Buffer {
        try marked(try keptOrNew(byteCount, for: use), byteCount)
    }

    /// Whether pixels of so many bytes are read while they are being written. Larger ones have memory that no runner keeps
    /// mapped.
    static func canShare(_ byteCount: Int) -> Bool { 1...sizes.upperBound ~= byteCount }

    private func marked(_ buffer: Buffer, _ byteCount: Int) throws -> Buffer {
        var buffer = buffer
        // That of the picture before.
        buffer.mark = Data()
        guard byteCount >= 16 else { return buffer }
        buffer.mark = Data((0..<16).map { _ in UInt8.random(in: 0...255) })
        lseek(buffer.memory.descriptor, off_t(byteCount - buffer.mark.count), SEEK_SET)
        try buffer.memory.append(buffer.mark)
        return buffer
    }

    /// A buffer with room for a frame of a video, whatever its size: many follow one another.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    func takeFrame(_ byteCount: Int, for use: Use) throws -> Buffer {
        try keptOrNew(byteCount + VideoWriting.readAhead, for: use)
    }

    private func keptOrNew(_ byteCount: Int, for use: Use?) throws -> Buffer {
        let known = kept.withLock { kept -> Buffer? in
            kept.firstIndex { $0.use == use && $0.capacity >= byteCount }
                .map { kept.remove(at: $0) }
        }
        return try known ?? Self.make(byteCount, for: use, seal: csandbox_seal_size)
    }

    private static func make(
        _ byteCount: Int, for use: Use?, seal: (Int32) -> Int32
    ) throws -> Buffer {
        let memory = try OpenFile.memory("pixels")
        // Making pages by writing takes half the time of making them one by one, when they are written to in memory.
        guard use == nil || fill(memory, byteCount),
            ftruncate(memory.descriptor, off_t(byteCount)) == 0, seal(memory.descriptor) == 0
        else {
            throw HostError.file("cannot be sized", path: "memory for pixels")
        }
        return Buffer(memory: memory, use: use, capacity: byteCount)
    }

    /// Writes zeros; false where there is no room.
    private static func fill(_ memory: OpenFile, _ byteCount: Int) -> Bool {
        let zeros = [UInt8](repeating: 0, count: min(byteCount, 1 << 16))
        return stride(from: 0, to: byteCount, by: zeros.count).allSatisfy { place in
            (try? zeros.prefix(byteCount - place).withUnsafeBytes { bytes in
                try memory.write(bytes, at: place)
            }) != nil
        }
    }

    /// A buffer of memory that is sealed, of one picture.
    static func sealed(_ memory: OpenFile, _ byteCount: Int) -> Buffer {
        Buffer(memory: memory, use: nil, capacity: byteCount)
    }

    /// Takes a buffer back from which everything has been read, after all went well.
    func giveBack(_ buffer: Buffer) {
        guard buffer.isReused else { return }
        kept.withLock { kept in
            kept.append(buffer)
            while kept.reduce(0, { $0 + $1.capacity }) > Self.maximumKept { kept.removeFirst() }
        }
    }
}
