// SPDX-License-Identifier: Apache-2.0

import CSandbox
import Foundation
import Glibc

/// A file descriptor that is closed when nobody holds it any more.
///
/// Sendable because the number never changes and the kernel serialises what is done with it.
public final class OwnedDescriptor: Sendable {
    /// The descriptor, valid as long as this object.
    public let number: Int32

    /// Takes a descriptor over.
    public init(taking number: Int32) { self.number = number }

    deinit { close(number) }

    /// Makes another descriptor of an open file; both share one offset.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    public convenience init(duplicating number: Int32) throws {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw Self.failure("cannot be duplicated", path: "a descriptor") }
        self.init(taking: copy)
    }

    /// Opens a file read only.
    ///
    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`, naming the path.
    public convenience init(readingFile path: String, flags: Int32 = 0) throws {
        let number = open(path, O_RDONLY | O_CLOEXEC | flags)
        guard number >= 0 else { throw Self.failure("cannot be opened", path: path) }
        self.init(taking: number)
    }

    /// Makes an empty file in memory.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    public static func memory(_ name: String) throws -> OwnedDescriptor {
        let number = csandbox_memory(name)
        guard number >= 0 else { throw failure("cannot be made", path: "memory for \(name)") }
        return OwnedDescriptor(taking: number)
    }

    /// Makes a file in memory with these bytes, its offset at the start.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    public static func memory(_ name: String, holding data: Data) throws -> OwnedDescriptor {
        let memory = try memory(name)
        try memory.write(data)
        lseek(memory.number, 0, SEEK_SET)
        return memory
    }

    /// Appends bytes at the file's offset.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    public func write(_ data: Data) throws {
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

    /// Reads `count` bytes from `offset`, or fewer where the file ends.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    public func read(count: Int, at offset: Int = 0) throws -> Data {
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
    public func size() throws -> Int {
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
        try OwnedDescriptor(readingFile: "/proc/self/fd/\(number)")
    }

    /// A copy in memory that nobody can change.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    func sealedCopy() throws -> OwnedDescriptor {
        let copy = try Self.memory("copy")
        var offset = 0
        while true {
            let part = try read(count: 1 << 20, at: offset)
            if part.isEmpty { break }
            try copy.write(part)
            offset += part.count
        }
        guard csandbox_seal(copy.number) == 0 else {
            throw Self.failure("cannot be sealed", path: "a copy")
        }
        return copy
    }

    static func failure(_ what: String, path: String) -> HostError {
        let reason = String(cString: strerror(errno))
        let code: HostError.Code = errno == ENOENT || errno == ENOTDIR ? .noSuchFile : .fileFailed
        return HostError(code, "\(path) \(what): \(reason)")
    }
}
