// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An open file, folder or socket, closed when the last reference goes.
///
/// It is always close-on-exec. Its offset is shared with whoever gets the descriptor, so that
/// a runner should be given a fresh one for each job. Sendable because nothing here changes, and the
/// kernel serialises what is done with the descriptor.
package final class OpenFile: Sendable {
    /// The descriptor, valid as long as this object lives.
    package let descriptor: CInt
    /// The path that was opened, or what else to call it in messages.
    package let path: String
    /// Whether it is a file in memory that this process made.
    package let isMemory: Bool
    private let atEnd: (@Sendable (CInt) -> Void)?

    /// Takes over an open descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: open, and nobody else's to close.
    ///   - path: the path that was opened, or what to call it in messages.
    ///   - isMemory: whether it is a file in memory that this process made.
    ///   - atEnd: what to do with the descriptor before it is closed.
    package init(
        descriptor: CInt, path: String = "a file", isMemory: Bool = false,
        atEnd: (@Sendable (CInt) -> Void)? = nil
    ) {
        self.descriptor = descriptor
        self.path = path
        self.isMemory = isMemory
        self.atEnd = atEnd
    }

    /// Opens a file by a path that links may lead to; `O_CLOEXEC` is added to the flags. What lies in
    /// a folder that is not trusted is opened by ``Folder``.
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

    /// Whether something is done with the file when this object goes; see ``init(descriptor:path:isMemory:atEnd:)``.
    package var hasEnd: Bool { atEnd != nil }

    /// The file's status.
    package func systemStatus() throws(SystemError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError("fstat") }
        return status
    }

    /// The length of the file in bytes; nil where it cannot be told.
    package var length: Int? { (try? systemStatus()).map { Int($0.st_size) } }

    // MARK: - Reading

    /// Reads up to the buffer's size at an offset; 0 at the end of the file.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(SystemError) -> Int {
        let count = retrying { pread(descriptor, buffer.baseAddress, buffer.count, offset) }
        guard count >= 0 else { throw SystemError("pread") }
        return count
    }

    /// Fills the buffer from an offset on, as far as the file goes.
    ///
    /// - Returns: how many bytes there were.
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

    /// Writes all of the buffer at an offset.
    package func write(_ buffer: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
        try writeAll(buffer, by: "pwrite") { rest, done in
            pwrite(descriptor, rest.baseAddress, rest.count, offset + done)
        }
    }

    /// Writes all of the buffer at the file's own offset, or into a pipe.
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

    /// Makes this empty file one with all the bytes of another, whose blocks it shares until either is
    /// written to; false where the file system cannot, and nothing was done. The kernel calls it
    /// FICLONE.
    package func shareBytes(of other: OpenFile) -> Bool {
        let number: UInt = 0x4004_9409
        return retrying { ioctl(descriptor, number, other.descriptor) } == 0
    }

    /// Forces content and metadata to the disk. A failure is final: never call it again then.
    package func synchronize() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw SystemError("fsync") }
    }

    /// Takes an advisory lock on the whole file, waiting at most about `seconds`.
    ///
    /// - Returns: Whether the lock was taken.
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

/// Repeats a system call for as long as a signal interrupts it.
package func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
