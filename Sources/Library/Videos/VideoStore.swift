// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import Glibc
import Hashing

/// A cache of videos that were converted for browsers, in the library's `cache/videos`, by content
/// keys. Each is an MP4 file that ends with a `free` box of 64 bytes, which players ignore and
/// which holds a digest, the size and the duration.
///
/// It may be deleted at any time and is untrusted: an invalid entry is removed. Operations are best
/// effort: I/O errors are treated as missing entries.
package final class VideoStore: Sendable {
    private let folder: CacheFolder
    private let limit: Int

    /// The start of the box at the end: its length, its type and the magic.
    private static let magic = Array("\0\0\0\u{40}freeEDVIDEO1".utf8)
    private static let digestLength = 32
    private static let trailerLength = 64
    private static let chunkLength = 1 << 20

    /// - Parameters:
    ///   - root: The library's folder.
    ///   - limit: The maximum total size of all entries in bytes; 0 stores nothing.
    init(root: Folder, limit: Int) {
        folder = CacheFolder(root: root, name: "videos", limit: limit)
        self.limit = limit
    }

    /// A stored video.
    package struct Video: Sendable {
        /// The file, open for reading.
        package let file: OpenFile
        /// The size of the frames in pixels.
        package let size: PixelSize
        /// The duration in seconds.
        package let duration: Double

        /// Creates a video from its file, size and duration.
        package init(file: OpenFile, size: PixelSize, duration: Double) {
            self.file = file
            self.size = size
            self.duration = duration
        }
    }

    /// Returns the video for a key, or nil if there is no valid entry. The whole file is read.
    package func video(_ key: ContentKey) -> Video? {
        guard let file = folder.entry(key.description), let status = try? file.systemStatus() else {
            return nil
        }
        guard let video = Self.video(in: file, count: Int(status.st_size), key) else {
            folder.remove(key.description)
            return nil
        }
        folder.markUsed(file, status)
        return video
    }

    private static func video(in file: OpenFile, count: Int, _ key: ContentKey) -> Video? {
        let length = count - trailerLength
        guard length > 0, let trailer = try? bytes(of: file, length..<count),
            trailer.starts(with: magic)
        else { return nil }
        let facts = Array(trailer.suffix(16))
        guard let digest = try? digest(of: file, count: length, facts, key),
            digest == Array(trailer[magic.count..<magic.count + digestLength])
        else { return nil }
        func number(_ range: Range<Int>) -> UInt64 {
            facts[range].reduce(0) { $0 << 8 | UInt64($1) }
        }
        return Video(
            file: file, size: PixelSize(width: Int(number(0..<4)), height: Int(number(4..<8))),
            duration: Double(bitPattern: number(8..<16)))
    }

    /// Stores a copy of a video. Best effort: a full disk or a read-only folder is ignored.
    package func keep(_ video: Video, _ key: ContentKey) {
        guard let width = UInt32(exactly: video.size.width),
            let height = UInt32(exactly: video.size.height),
            let count = try? Int(video.file.systemStatus().st_size), count > 0,
            count + Self.trailerLength <= limit
        else { return }
        let number = UInt64(width) << 32 | UInt64(height)
        let facts = Self.bytes(number) + Self.bytes(video.duration.bitPattern)
        folder.keep(key.description) { file in
            var hasher = Self.hasher(facts, key)
            for start in stride(from: 0, to: count, by: Self.chunkLength) {
                let chunk = try Self.bytes(
                    of: video.file, start..<min(count, start + Self.chunkLength))
                hasher.update(data: Data(chunk))
                try chunk.withUnsafeBytes { try file.write($0, at: start) }
            }
            let trailer = Self.magic + hasher.finalize() + facts
            try trailer.withUnsafeBytes { try file.write($0, at: count) }
        }
    }

    /// The digest covers the key, so an entry under the name of another one is invalid.
    private static func digest(
        of file: OpenFile, count: Int, _ facts: [UInt8], _ key: ContentKey
    ) throws -> [UInt8] {
        var hasher = hasher(facts, key)
        for start in stride(from: 0, to: count, by: chunkLength) {
            hasher.update(
                data: Data(try bytes(of: file, start..<min(count, start + chunkLength))))
        }
        return hasher.finalize()
    }

    private static func hasher(_ facts: [UInt8], _ key: ContentKey) -> SHA256 {
        var hasher = SHA256()
        hasher.update(data: Data(key.description.utf8))
        hasher.update(data: Data(facts))
        return hasher
    }

    /// Reads bytes of a file.
    ///
    /// - Throws: `SystemError`, including if the file is shorter.
    private static func bytes(of file: OpenFile, _ range: Range<Int>) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        let done = try bytes.withUnsafeMutableBytes { try file.fill($0, at: range.lowerBound) }
        guard done == range.count else { throw SystemError("pread", number: EIO) }
        return bytes
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }
}
