// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc

/// A failure to read or change a movie file.
package struct MovieError: DescribedError, Hashable {
    /// The kinds of failure.
    package enum Code: String, Hashable, Sendable {
        /// The file does not consist of boxes, or has no movie description.
        case notAMovie
        /// A box or a table is invalid.
        case damaged
        /// A limit is exceeded.
        case tooLarge
        /// The file is valid but uses an unsupported feature.
        case unsupported
        /// The disk has no space for the output.
        case diskFull
        /// A read failed.
        case readFailed
        /// A write failed.
        case writeFailed
    }

    /// The kind of failure.
    package let code: Code
    /// A sentence without a full stop.
    package let message: String

    /// Creates an error with a code and a message.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static let withoutMovie = MovieError(.notAMovie, "it has no moov box")
    static func damaged(_ message: String) -> MovieError { MovieError(.damaged, message) }

    init(reading error: SystemError) {
        self.init(.readFailed, "the movie cannot be read: \(error)")
    }

    init(writing error: SystemError) {
        let isFull = [ENOSPC, EDQUOT, EFBIG].contains(error.number)
        self.init(isFull ? .diskFull : .writeFailed, "the movie cannot be written: \(error)")
    }
}
