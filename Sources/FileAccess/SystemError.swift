// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A failed system call.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the system call, for example `fsync`.
    package let call: String
    /// The value of `errno`.
    package let number: CInt
    /// The unexpected file that caused the failure; `nil` for any other cause.
    package let misplaced: UnexpectedFileKind?

    /// Creates an error, by default with the current `errno`.
    package init(_ call: String, number: CInt = errno) {
        self.call = call
        self.number = number
        misplaced = nil
    }

    /// Creates the error of a file that was not opened because of its kind.
    package init(_ misplaced: UnexpectedFileKind) {
        call = "openat"
        number = EINVAL
        self.misplaced = misplaced
    }

    /// The call and the system's description of the error.
    package var description: String {
        "\(call): \(String(cString: strerror(number)))"
    }
}
