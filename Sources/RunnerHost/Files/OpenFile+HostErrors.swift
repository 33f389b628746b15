// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Glibc

// Operations on open files. Failures are reported as `HostError` with `noSuchFile` or `fileFailed`;
// the message names the file.
extension OpenFile {
    /// Opens a file for reading. Follows symbolic links.
    package static func reading(_ path: String, flags: Int32 = 0) throws -> OpenFile {
        try failing("cannot be opened", path) { try OpenFile(path, O_RDONLY | flags) }
    }

    /// Opens a regular file for reading. Never blocks, not even on a FIFO without a writer.
    ///
    /// - Parameter code: The code of the error if the path is not a regular file.
    package static func readingRegularFile(
        _ path: String, else code: HostError.Code = .fileFailed
    ) throws -> OpenFile {
        let file = try reading(path, flags: O_NONBLOCK)
        try file.requireRegularFile(else: code)
        return file
    }

    /// Throws an error if this is not a regular file.
    func requireRegularFile(else code: HostError.Code = .fileFailed) throws {
        guard try hostStatus().isPlainFile else {
            throw HostError(code, "\(path) is not a regular file")
        }
    }

    package func hostStatus() throws -> stat {
        try Self.failing("cannot be examined", path) { try systemStatus() }
    }

    /// Returns the size of the file, in bytes.
    package func byteCount() throws -> Int { Int(try hostStatus().st_size) }

    /// Reads `count` bytes from `offset`, or fewer at the end of the file.
    package func read(count: Int, at offset: Int = 0) throws -> Data {
        var data = Data(count: count)
        let done = try Self.failing("cannot be read", path) {
            try data.withUnsafeMutableBytes { try fill($0, at: offset) }
        }
        return done == count ? data : data.prefix(done)
    }

    /// Appends bytes at the file's offset.
    package func append(_ data: Data) throws {
        try Self.failing("cannot be written", path) {
            try data.withUnsafeBytes { try append($0) }
        }
    }

    /// Appends bytes to a sparse copy of another file: chunks of zeros become holes. The copy has its
    /// full length only after ``endCopy()``.
    package func copy(_ data: Data) throws {
        let isZero = data.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, bytes[0] == 0 else { return bytes.isEmpty }
            // Compares each byte with the one before it. The first one is zero.
            return memcmp(start, start + 1, bytes.count - 1) == 0
        }
        guard isZero else { return try append(data) }
        guard lseek(descriptor, off_t(data.count), SEEK_CUR) >= 0 else {
            throw HostError.file("cannot be written", path: path)
        }
    }

    /// Sets the final length of a file written with ``copy(_:)``.
    package func endCopy() throws {
        let length = lseek(descriptor, 0, SEEK_CUR)
        guard length >= 0, ftruncate(descriptor, length) == 0 else {
            throw HostError.file("cannot be written", path: path)
        }
    }

    /// Sets the modification time of the file, best effort: file systems limit the range and precision of times.
    ///
    /// - Parameter nanoseconds: The fraction of the second, 0..<1,000,000,000.
    package func setModificationDate(_ date: Date, nanoseconds: Int) {
        guard let seconds = Int(exactly: date.timeIntervalSince1970.rounded(.down)) else { return }
        // UTIME_NOW of sys/stat.h, which Swift does not import.
        let now = timespec(tv_sec: 0, tv_nsec: (1 << 30) - 1)
        _ = [now, timespec(tv_sec: seconds, tv_nsec: nanoseconds)].withUnsafeBufferPointer {
            futimens(descriptor, $0.baseAddress)
        }
    }

    private static func failing<Result>(
        _ what: String, _ path: String, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as SystemError {
            throw HostError.file(what, path: path, error.number)
        }
    }
}
