// SPDX-License-Identifier: Apache-2.0

import CSandbox
import Foundation
import Glibc

/// A file descriptor that is closed when nobody holds it any more.
///
/// Sendable because the number never changes and the kernel serialises what is done with it.
package final class OwnedDescriptor: Sendable {
    /// The descriptor, valid as long as this object.
    package let number: Int32
    /// Whether it is a file in memory that the host made.
    let isMemory: Bool
    /// Whether the file is emptied when this object goes, whoever keeps a descriptor of it.
    let emptiesAtEnd: Bool

    /// Takes a descriptor over.
    package convenience init(taking number: Int32) { self.init(number, isMemory: false) }

    private init(_ number: Int32, isMemory: Bool, emptiesAtEnd: Bool = false) {
        self.number = number
        self.isMemory = isMemory
        self.emptiesAtEnd = emptiesAtEnd
    }

    deinit {
        if emptiesAtEnd { _ = csandbox_empty(number) }
        close(number)
    }

    /// Makes another descriptor of an open file; both share one offset.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    package convenience init(duplicating number: Int32) throws {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw Self.failure("cannot be duplicated", path: "a descriptor") }
        self.init(taking: copy)
    }

    /// Opens a file read only.
    ///
    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`, naming the path.
    package convenience init(readingFile path: String, flags: Int32 = 0) throws {
        let number = open(path, O_RDONLY | O_CLOEXEC | flags)
        guard number >= 0 else { throw Self.failure("cannot be opened", path: path) }
        self.init(taking: number)
    }

    /// Makes an empty file in memory.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    package static func memory(_ name: String) throws -> OwnedDescriptor {
        let number = csandbox_memory(name)
        guard number >= 0 else { throw failure("cannot be made", path: "memory for \(name)") }
        return OwnedDescriptor(number, isMemory: true)
    }

    /// Makes a file in memory to lend to a runner. What is in it goes with this object: a runner that
    /// keeps a hold on the file, or a part of it mapped, keeps no memory by that.
    ///
    /// - Parameters:
    ///   - data: what it begins with.
    ///   - room: how long it is, and can become at the most; nil: as long as a runner may write.
    /// - Throws: `HostError` with `fileFailed`.
    static func lentMemory(
        _ name: String, holding data: Data = Data(), room: Int? = nil
    ) throws -> OwnedDescriptor {
        let number = csandbox_memory(name)
        guard number >= 0 else { throw failure("cannot be made", path: "memory for \(name)") }
        let memory = OwnedDescriptor(number, isMemory: true, emptiesAtEnd: true)
        try memory.write(data)
        lseek(number, 0, SEEK_SET)
        guard let room else { return memory }
        guard ftruncate(number, off_t(room)) == 0, csandbox_seal_growth(number) == 0 else {
            throw failure("cannot be sized", path: "memory for \(name)")
        }
        return memory
    }

    /// Makes a file in memory with these bytes, its offset at the start.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    package static func memory(_ name: String, holding data: Data) throws -> OwnedDescriptor {
        let memory = try memory(name)
        try memory.write(data)
        lseek(memory.number, 0, SEEK_SET)
        return memory
    }

    /// Appends bytes at the file's offset.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    package func write(_ data: Data) throws {
        try data.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let count = Glibc.write(
                    number, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    throw Self.failure("cannot be written", path: "a file")
                }
                offset += count
            }
        }
    }

    /// Appends bytes to a copy of another file; what is nothing but zeros stays a hole. The copy has its
    /// whole length only after ``endCopy()``.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    func copy(_ data: Data) throws {
        let isZero = data.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, bytes[0] == 0 else { return bytes.isEmpty }
            // Each byte is that before it, which is zero.
            return memcmp(start, start + 1, bytes.count - 1) == 0
        }
        guard isZero else { return try write(data) }
        guard lseek(number, off_t(data.count), SEEK_CUR) >= 0 else {
            throw Self.failure("cannot be written", path: "a file")
        }
    }

    /// Ends what ``copy(_:)`` appended to.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    func endCopy() throws {
        let length = lseek(number, 0, SEEK_CUR)
        guard length >= 0, ftruncate(number, length) == 0 else {
            throw Self.failure("cannot be written", path: "a file")
        }
    }

    /// Reads `count` bytes from `offset`, or fewer where the file ends.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    package func read(count: Int, at offset: Int = 0) throws -> Data {
        var data = Data(count: count)
        var done = 0
        try data.withUnsafeMutableBytes { bytes in
            while done < count {
                let got = pread(
                    number, bytes.baseAddress.map { $0 + done }, count - done,
                    off_t(offset + done))
                if got < 0, errno == EINTR { continue }
                guard got >= 0 else { throw Self.failure("cannot be read", path: "a file") }
                if got == 0 { break }
                done += got
            }
        }
        return done == count ? data : data.prefix(done)
    }

    /// The size of the file in bytes.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    package func size() throws -> Int {
        var status = stat()
        guard fstat(number, &status) == 0 else {
            throw Self.failure("cannot be examined", path: "a file")
        }
        return Int(status.st_size)
    }

    /// Another descriptor of the same file in memory, through which nobody can write.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    func readOnly() throws -> OwnedDescriptor {
        let copy = open("/proc/self/fd/\(number)", O_RDONLY | O_CLOEXEC)
        guard copy >= 0 else { throw Self.failure("cannot be opened again", path: "memory") }
        return OwnedDescriptor(copy, isMemory: isMemory)
    }

    static func failure(_ what: String, path: String) -> HostError {
        let reason = String(cString: strerror(errno))
        let code: HostError.Code = errno == ENOENT || errno == ENOTDIR ? .noSuchFile : .fileFailed
        return HostError(code, "\(path) \(what): \(reason)")
    }
}
