// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An open file, folder or socket, closed when it is deinitialized.
///
/// The descriptor is always close-on-exec. Every process that receives it shares its file offset, so pass a new
/// one to a runner for each job. The type is `Sendable` because its properties are immutable and the kernel
/// serialises operations on a descriptor.
package final class OpenFile: Sendable {
    /// The file descriptor, valid for the lifetime of this object.
    package let descriptor: CInt
    /// The path that was opened, or a description for messages.
    package let path: String
    /// `true` for an in-memory file created by this process.
    package let isMemory: Bool
    private let atEnd: (@Sendable (CInt) -> Void)?

    /// Takes ownership of an open descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: An open descriptor without another owner.
    ///   - path: The path that was opened, or a description for messages.
    ///   - isMemory: `true` for an in-memory file created by this process.
    ///   - atEnd: A closure that is called with the descriptor before it is closed.
    package init(
        descriptor: CInt, path: String = "a file", isMemory: Bool = false,
        atEnd: (@Sendable (CInt) -> Void)? = nil
    ) {
        self.descriptor = descriptor
        self.path = path
        self.isMemory = isMemory
        self.atEnd = atEnd
    }

    /// Opens a file by its path, following links. `O_CLOEXEC` is added to the flags.
    ///
    /// Use ``Folder`` for files in an untrusted folder.
    package convenience init(_ path: String, _ flags: CInt, mode: mode_t = 0) throws(SystemError) {
        let descriptor = path.withPath { path in
            retrying { open(path, flags | O_CLOEXEC, mode) }
        }
        guard descriptor >= 0 else { throw SystemError("open") }
        self.init(descriptor: descriptor, path: path)
    }

    deinit {
        atEnd?(descriptor)
        close(descriptor)
    }

    /// `true` if a closure runs before the file is closed; see ``init(descriptor:path:isMemory:atEnd:)``.
    package var hasEnd: Bool { atEnd != nil }

    /// Returns the status of the file.
    package func systemStatus() throws(SystemError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError("fstat") }
        return status
    }

    /// The length of the file in bytes; `nil` if it is unavailable.
    package var length: Int? { (try? systemStatus()).map { Int($0.st_size) } }

    // MARK: - Reading

    /// Reads at most the buffer's size at an offset; returns 0 at the end of the file.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(SystemError) -> Int {
        let count = retrying { pread(descriptor, buffer.baseAddress, buffer.count, offset) }
        guard count >= 0 else { throw SystemError("pread") }
        return count
    }

    /// Reads from an offset until the buffer is full or the file ends.
    ///
    /// - Returns: The number of bytes that were read.
    package func fill(
        _ buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(SystemError) -> Int {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = try read(into: rest, at: offset + done)
            if count == 0 { break }
            done += count
        }
        return done
    }

    // MARK: - Writing

    /// Writes the whole buffer at an offset.
    package func write(_ buffer: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
        try writeAll(buffer, by: "pwrite") { rest, done in
            pwrite(descriptor, rest.baseAddress, rest.count, offset + done)
        }
    }

    /// Writes the whole buffer at the current file offset, or to a pipe.
    package func append(_ buffer: UnsafeRawBufferPointer) throws(SystemError) {
        try writeAll(buffer, by: "write") { rest, _ in
            Glibc.write(descriptor, rest.baseAddress, rest.count)
        }
    }

    private func writeAll(
        _ buffer: UnsafeRawBufferPointer, by call: String,
        _ write: (UnsafeRawBufferPointer, Int) -> Int
    ) throws(SystemError) {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
            let count = retrying { write(rest, done) }
            guard count > 0 else { throw SystemError(call) }
            done += count
        }
    }

    /// Clones the content of another file into this empty one with copy-on-write (FICLONE).
    ///
    /// Returns `false`, without any change, if the file system does not support it.
    package func shareBytes(of other: OpenFile) -> Bool {
        let number: UInt = 0x4004_9409
        return retrying { ioctl(descriptor, number, other.descriptor) } == 0
    }

    /// Flushes content and metadata to disk. Do not retry after a failure: the kernel may have dropped the
    /// unwritten data.
    package func synchronize() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw SystemError("fsync") }
    }

    /// Acquires an advisory lock on the whole file, waiting for about `seconds` at most.
    ///
    /// - Returns: Whether the lock was acquired.
    package func lock(exclusively: Bool, waiting seconds: Double) throws(SystemError) -> Bool {
        let operation = (exclusively ? LOCK_EX : LOCK_SH) | LOCK_NB
        var attempts = Int(seconds / 0.01)
        while retrying({ flock(descriptor, operation) }) != 0 {
            guard errno == EWOULDBLOCK else { throw SystemError("flock") }
            guard attempts > 0 else { return false }
            attempts -= 1
            usleep(10_000)
        }
        return true
    }
}

/// Retries a system call while a signal interrupts it (EINTR).
package func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
