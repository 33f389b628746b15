// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A system call that failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system call, for example `fsync`.
    package let call: String
    /// The value of `errno`.
    package let number: CInt
    /// What lies where something else belongs, if that is why.
    package let misplaced: MisplacedFile?

    /// Takes the number from `errno`, unless it is given.
    package init(_ call: String, number: CInt = errno) {
        self.call = call
        self.number = number
        misplaced = nil
    }

    /// For what was not opened, because it is not what belongs there.
    package init(_ misplaced: MisplacedFile) {
        call = "openat"
        number = EINVAL
        self.misplaced = misplaced
    }

    /// The call and the system's words for the error.
    package var description: String {
        "\(call): \(String(cString: strerror(number)))"
    }
}
