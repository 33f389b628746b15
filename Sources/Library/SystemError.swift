// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A system call that failed.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system call, for example `fsync`.
    public let call: String
    /// The value of `errno`.
    public let number: CInt

    /// Takes the number from `errno`, unless it is given.
    init(_ call: String, number: CInt = errno) {
        self.call = call
        self.number = number
    }

    /// The call and the system's words for the error.
    public var description: String {
        "\(call): \(String(cString: strerror(number)))"
    }
}

extension LibraryError {
    /// The error for a system call that failed while the library was being written.
    static func writing(_ path: String, _ cause: SystemError) -> LibraryError {
        LibraryError(
            .cannotWrite, "the library cannot be written; check space and permissions",
            path: path, underlying: cause)
    }

    /// The error for a system call that failed while the library was being read.
    static func reading(_ path: String, _ cause: SystemError) -> LibraryError {
        LibraryError(.cannotRead, "the file cannot be read", path: path, underlying: cause)
    }
}
