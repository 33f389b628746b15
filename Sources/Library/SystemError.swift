// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A system call that failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system call, for example `fsync`.
    package let call: String
    /// The value of `errno`.
    package let number: CInt
    /// What lies in a library where something else belongs, if that is why.
    let misplaced: MisplacedFile?

    /// Takes the number from `errno`, unless it is given.
    init(_ call: String, number: CInt = errno) {
        self.call = call
        self.number = number
        misplaced = nil
    }

    /// For what was not opened, because it is not what belongs there.
    init(_ misplaced: MisplacedFile) {
        call = "openat"
        number = EINVAL
        self.misplaced = misplaced
    }

    /// The call and the system's words for the error.
    package var description: String {
        "\(call): \(String(cString: strerror(number)))"
    }
}

extension LibraryError {
    /// The error for a system call that failed while the library was being written.
    static func writing(_ path: String, _ cause: SystemError) -> LibraryError {
        if let misplaced = cause.misplaced { return .misplaced(misplaced) }
        return LibraryError(
            .cannotWrite, "the library cannot be written; check space and permissions",
            path: path, underlying: cause)
    }

    /// The error for a system call that failed while the library was being read.
    static func reading(_ path: String, _ cause: SystemError) -> LibraryError {
        if let misplaced = cause.misplaced { return .misplaced(misplaced) }
        return LibraryError(.cannotRead, "the file cannot be read", path: path, underlying: cause)
    }

    /// The error for something that lies in a library where something else belongs.
    static func misplaced(_ file: MisplacedFile) -> LibraryError {
        if file.kind == .otherFileSystem {
            return LibraryError(
                .unsupportedFileSystem, "all of a library must lie on one file system",
                path: file.path)
        }
        return LibraryError(
            .invalidLayout,
            "this is \(file.kind.rawValue), where a library has \(file.expected.rawValue); it was not "
                + "touched, and the library cannot be used with it",
            path: file.path)
    }
}
