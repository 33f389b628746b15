// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Glibc

extension HostError {
    /// Returns the error for a file that could not be used.
    ///
    /// - Parameters:
    ///   - what: The failure, for example "cannot be read".
    ///   - path: The path of the file, or another description of it.
    ///   - number: The `errno` value.
    package static func file(_ what: String, path: String, _ number: Int32 = errno) -> HostError {
        HostError(
            number == ENOENT || number == ENOTDIR ? .noSuchFile : .fileFailed,
            "\(path) \(what): \(String(cString: strerror(number)))")
    }

    /// Returns the error for a file or folder that could not be written. Its code is `fileFailed` even if the folder is
    /// missing, because `noSuchFile` is for files that are read.
    ///
    /// - Parameters:
    ///   - what: The failure, for example "cannot be created".
    ///   - path: The path of the file or folder.
    ///   - number: The `errno` value.
    package static func output(
        _ what: String = "cannot be written", path: String, _ number: Int32 = errno
    ) -> HostError {
        HostError(.fileFailed, "\(path) \(what): \(String(cString: strerror(number)))")
    }

    /// Returns the error for a file that could not be used, with the file of the wrong kind or the system's message.
    package static func file(_ what: String, path: String, _ error: SystemError) -> HostError {
        guard let found = error.misplaced else { return file(what, path: path, error.number) }
        return HostError(
            .fileFailed,
            "\(found.path) is \(found.kind.rawValue), not \(found.expected.rawValue); links are not followed"
        )
    }
}
