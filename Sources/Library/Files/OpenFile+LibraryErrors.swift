// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

extension OpenFile {
    /// Opens a regular file outside of a library for reading, following symbolic links. The path
    /// may be untrusted, and opening a device can have side effects, so the file's type is checked
    /// first.
    ///
    /// - Throws: `LibraryError` with `cannotRead`.
    package static func regularFile(at path: String) throws -> OpenFile {
        do {
            var status = stat()
            guard path.withPath({ stat($0, &status) }) == 0 else { throw SystemError("stat") }
            if status.isPlainFile {
                let file = try OpenFile(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
                if try file.systemStatus().isPlainFile { return file }
            }
        } catch let error as SystemError {
            throw LibraryError.reading(path, error)
        }
        throw LibraryError(.cannotRead, "this is not a regular file", path: path)
    }

    /// Returns another descriptor of an open file, which shares its offset.
    ///
    /// - Throws: `LibraryError` with `cannotRead`.
    static func duplicate(of descriptor: CInt) throws -> OpenFile {
        let path = "descriptor \(descriptor)"
        let copy = retrying { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
        guard copy >= 0 else { throw LibraryError.reading(path, SystemError("fcntl")) }
        return OpenFile(descriptor: copy, path: path)
    }

    /// Returns the size in bytes reported by `fstat`.
    ///
    /// - Throws: `LibraryError` with `cannotRead`.
    func size() throws -> Int { Int(try status().st_size) }

    /// Returns the status reported by `fstat`.
    ///
    /// - Throws: `LibraryError` with `cannotRead`.
    func status() throws -> stat {
        do {
            return try systemStatus()
        } catch {
            throw LibraryError.reading(path, error)
        }
    }
}
