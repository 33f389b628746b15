// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An open file or folder, closed when the last reference goes.
///
/// It is always close-on-exec. Its offset is shared with whoever gets the descriptor, so that
/// a runner should be given a fresh one for each job.
package final class OpenFile: Sendable {
    /// The descriptor, valid as long as this object lives.
    package let descriptor: CInt
    /// The path that was opened, for messages.
    package let path: String

    /// Takes over an open descriptor.
    init(descriptor: CInt, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Opens a file that lies outside of a library, or the folder of one; `O_CLOEXEC` is added to the
    /// flags. What lies in a library is opened by ``Folder``.
    init(_ path: String, _ flags: CInt, mode: mode_t = 0) throws(SystemError) {
        let descriptor = retrying { open(path, flags | O_CLOEXEC, mode) }
        guard descriptor >= 0 else { throw SystemError("open") }
        self.descriptor = descriptor
        self.path = path
    }

    /// Opens a regular file outside of a library to read it; links may lead to it. Its path may come
    /// from somebody else, and opening a device does something by itself; so it is looked at before.
    ///
    /// - Throws: `LibraryError` with `cannotRead`.
    static func regularFile(at path: String) throws -> OpenFile {
        do {
            var status = stat()
            guard stat(path, &status) == 0 else { throw SystemError("stat") }
            if status.isPlainFile {
                let file = try OpenFile(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
                if try file.systemStatus().isPlainFile { return file }
            }
        } catch let error as SystemError {
            throw LibraryError.reading(path, error)
        }
        throw LibraryError(.cannotRead, "this is not a regular file", path: path)
    }

    deinit { close(descriptor) }

    /// The size in bytes, as `fstat` tells it.
    ///
    /// - Throws: `LibraryError` with `cannotRead`.
    package func size() throws -> Int {
        Int(try status().st_size)
    }

    /// The file's status.
    func status() throws -> stat {
        do {
            return try systemStatus()
        } catch {
            throw LibraryError.reading(path, error)
        }
    }

    /// The file's status; the error is the system's.
    func systemStatus() throws(SystemError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError("fstat") }
        return status
    }

    /// Reads up to the buffer's size at an offset; 0 at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int
    {
        let count = retrying { pread(descriptor, buffer.baseAddress, buffer.count, offset) }
        guard count >= 0 else { throw SystemError("pread") }
        return count
    }

    /// Writes all of the buffer at an offset.
    func write(_ buffer: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
            let count = retrying {
                pwrite(descriptor, rest.baseAddress, rest.count, offset + done)
            }
            guard count > 0 else { throw SystemError("pwrite") }
            done += count
        }
    }

    /// Makes this empty file one with all the bytes of another, whose blocks it shares until either is
    /// written to; false where the file system cannot, and nothing was done. The kernel calls it
    /// FICLONE.
    func shareBytes(of other: OpenFile) -> Bool {
        let number: UInt = 0x4004_9409
        return retrying { ioctl(descriptor, number, other.descriptor) } == 0
    }

    /// Forces content and metadata to the disk. A failure is final: never call it again then.
    func synchronize() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw SystemError("fsync") }
    }

    /// Takes an advisory lock on the whole file, waiting at most about `seconds`.
    ///
    /// - Returns: Whether the lock was taken.
    func lock(exclusively: Bool, waiting seconds: Double) throws(SystemError) -> Bool {
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
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
