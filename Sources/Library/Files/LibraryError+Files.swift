// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

extension LibraryError {
    /// The error for a system call that failed while writing the library.
    static func writing(_ path: String, _ cause: SystemError) -> LibraryError {
        if let misplaced = cause.misplaced { return .misplaced(misplaced) }
        let isFull = [ENOSPC, EDQUOT].contains(cause.number)
        return LibraryError(
            .cannotWrite,
            isFull
                ? "the disk is full; free some space"
                : "cannot write the library; check space and permissions",
            path: path, underlying: cause)
    }

    /// The error for a system call that failed while reading the library.
    static func reading(_ path: String, _ cause: SystemError) -> LibraryError {
        if let misplaced = cause.misplaced { return .misplaced(misplaced) }
        return LibraryError(.cannotRead, "the file cannot be read", path: path, underlying: cause)
    }

    /// The error for an entry of the wrong kind in a library's folder.
    static func misplaced(_ file: UnexpectedFileKind) -> LibraryError {
        if file.kind == .otherFileSystem {
            return LibraryError(
                .unsupportedFileSystem, "the whole library must be on one file system",
                path: file.path)
        }
        return LibraryError(
            .invalidLayout,
            "this is \(file.kind.rawValue), but the library needs \(file.expected.rawValue); "
                + "it was not touched, and has to be removed before the library can be used",
            path: file.path)
    }
}

extension OpenFile {
    /// Opens a regular file outside of a library for reading, following symbolic links. The path
    /// may be untrusted, and opening a device can have side effects, so the file's type is checked
    /// first.
    ///
    /// - Throws: `LibraryError` with `cannotRead`.
    static func regularFile(at path: String) throws -> OpenFile {
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
