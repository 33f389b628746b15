// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc
import Hashing

/// Chunked reading and hashing of files, from their beginning. Holes are read as zeros.
enum FileBytes {
    /// Small enough to stay in a processor's cache between reading, hashing and writing.
    private static let chunkSize = 1 << 18
    /// The number of bytes that are read even if the task is cancelled, so that shorter files,
    /// which take less than a second, are always read completely. A hole can be much longer, and
    /// occupies no disk space.
    private static let uncancelledBytes = 256 << 20

    /// Returns the hash of a file's content.
    ///
    /// - Throws: `LibraryError` with `cannotRead`; `CancellationError`.
    static func hash(of file: OpenFile) throws -> SHA256Digest {
        var reader = try FileReader(file)
        try reader.read(atMost: .max) { _, _ in }
        return reader.hash
    }

    /// Streams a file's content.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes.
    ///   - body: Called with each chunk outside of holes, and its offset.
    /// - Returns: The hash and the size, or nil if the file exceeds the limit.
    /// - Throws: `LibraryError` with `cannotRead`; `CancellationError`; any error thrown by `body`.
    static func read(
        _ file: OpenFile, atMost limit: Int, _ body: (UnsafeRawBufferPointer, Int) throws -> Void
    ) throws -> (hash: SHA256Digest, count: Int)? {
        var reader = try FileReader(file)
        try reader.read(atMost: limit, body)
        return reader.offset > limit ? nil : (reader.hash, reader.offset)
    }

    private struct FileReader {
        let file: OpenFile
        /// A second open file description, if the file may have holes. The search for holes moves
        /// its offset.
        let holes: OpenFile?
        var hasher = SHA256()
        var offset = 0

        var hash: SHA256Digest { SHA256Digest(bytes: hasher.finalize()) }

        init(_ file: OpenFile) throws {
            self.file = file
            let status = try file.status()
            let isSparse = Int(status.st_blocks) < Int(status.st_size) / 512
            holes = isSparse ? try? OpenFile("/proc/self/fd/\(file.descriptor)", O_RDONLY) : nil
        }

        /// Reads to the end of the file, or until the offset exceeds the limit.
        mutating func read(
            atMost limit: Int, _ body: (UnsafeRawBufferPointer, Int) throws -> Void
        ) throws {
            let buffer = UnsafeMutableRawBufferPointer.allocate(
                byteCount: chunkSize, alignment: 4096)
            defer { buffer.deallocate() }
            while offset <= limit {
                if offset >= uncancelledBytes { try Task.checkCancellation() }
                let (range, isHole): (Range<Int>, Bool)
                switch try extent() {
                case .end: return
                case .data(let stretch): (range, isHole) = (stretch, false)
                case .hole(let stretch): (range, isHole) = (stretch, true)
                }
                let wanted = min(chunkSize, range.upperBound - offset)
                let count = try fill(UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
                if count == 0 { return }
                let chunk = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                let place = offset
                offset += count
                guard offset <= limit else { return }
                hasher.update(bufferPointer: chunk)
                // Some file systems report a hole for data that was written a moment ago.
                if isHole, Self.isZero(chunk) { continue }
                try body(chunk, place)
            }
        }

        private func extent() throws -> OpenFile.Extent {
            guard let holes else { return .data(offset..<Int.max) }
            do {
                return try holes.extent(from: offset)
            } catch {
                throw LibraryError.reading(file.path, error)
            }
        }

        private func fill(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            do {
                return try file.read(into: buffer, at: offset)
            } catch {
                throw LibraryError.reading(file.path, error)
            }
        }

        private static func isZero(_ chunk: UnsafeRawBufferPointer) -> Bool {
            guard let start = chunk.baseAddress, chunk.count > 1 else { return chunk.first == 0 }
            return chunk[0] == 0 && memcmp(start, start + 1, chunk.count - 1) == 0
        }
    }
}
