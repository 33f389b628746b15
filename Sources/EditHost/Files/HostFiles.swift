// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Glibc

// What the host does with open files. What fails is a `HostError` with `noSuchFile` or `fileFailed`
// that names the file.
extension OpenFile {
    /// Opens a file read only; links may lead to it.
    package static func reading(_ path: String, flags: Int32 = 0) throws -> OpenFile {
        try failing("cannot be opened", path) { try OpenFile(path, O_RDONLY | flags) }
    }

    /// Opens a regular file read only, and never waits: not for the other end of a FIFO.
    ///
    /// - Parameter code: of the error where it is something else.
    static func readingRegularFile(
        _ path: String, else code: HostError.Code = .fileFailed
    ) throws -> OpenFile {
        let file = try reading(path, flags: O_NONBLOCK)
        try file.requireRegularFile(else: code)
        return file
    }

    /// Refuses what is not a regular file.
    func requireRegularFile(else code: HostError.Code = .fileFailed) throws {
        guard try hostStatus().isPlainFile else {
            throw HostError(code, "\(path) is not a regular file")
        }
    }

    /// The file's status.
    func hostStatus() throws -> stat {
        try Self.failing("cannot be examined", path) { try systemStatus() }
    }

    /// The size of the file in bytes.
    package func byteCount() throws -> Int { Int(try hostStatus().st_size) }

    /// Reads `count` bytes from `offset`, or fewer where the file ends.
    package func read(count: Int, at offset: Int = 0) throws -> Data {
        var data = Data(count: count)
        let done = try Self.failing("cannot be read", path) {
            try data.withUnsafeMutableBytes { try fill($0, at: offset) }
        }
        return done == count ? data : data.prefix(done)
    }

    /// Appends bytes at the file's offset.
    func append(_ data: Data) throws {
        try Self.failing("cannot be written", path) {
            try data.withUnsafeBytes { try append($0) }
        }
    }

    /// Appends bytes to a copy of another file; what is nothing but zeros stays a hole. The copy has its
    /// whole length only after ``endCopy()``.
    func copy(_ data: Data) throws {
        let isZero = data.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, bytes[0] == 0 else { return bytes.isEmpty }
            // Each byte is that before it, which is zero.
            return memcmp(start, start + 1, bytes.count - 1) == 0
        }
        guard isZero else { return try append(data) }
        guard lseek(descriptor, off_t(data.count), SEEK_CUR) >= 0 else {
            throw HostError.file("cannot be written", path: path)
        }
    }

    /// Ends what ``copy(_:)`` appended to.
    func endCopy() throws {
        let length = lseek(descriptor, 0, SEEK_CUR)
        guard length >= 0, ftruncate(descriptor, length) == 0 else {
            throw HostError.file("cannot be written", path: path)
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

extension HostError {
    /// A file that could not be used.
    ///
    /// - Parameters:
    ///   - what: for example "cannot be read".
    ///   - path: the file's, or what else to call it.
    ///   - number: the system's number for the error.
    static func file(_ what: String, path: String, _ number: Int32 = errno) -> HostError {
        HostError(
            number == ENOENT || number == ENOTDIR ? .noSuchFile : .fileFailed,
            "\(path) \(what): \(String(cString: strerror(number)))")
    }

    /// A file that could not be used, for what lies there in its place, or for what the system said.
    static func file(_ what: String, path: String, _ error: SystemError) -> HostError {
        guard let found = error.misplaced else { return file(what, path: path, error.number) }
        return HostError(
            .fileFailed,
            "\(found.path) is \(found.kind.rawValue), not \(found.expected.rawValue); links are not followed"
        )
    }
}
