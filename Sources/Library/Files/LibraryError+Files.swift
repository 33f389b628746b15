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
