// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc

/// Why a movie file could not be read or changed.
package struct MovieError: DescribedError, Hashable {
    /// What kind of failure it is.
    package enum Code: String, Hashable, Sendable {
        /// The file is not built of boxes, or has none that describes a movie.
        case notAMovie
        /// What a box or a table says cannot be.
        case damaged
        /// Something exceeds a limit.
        case tooLarge
        /// The file is whole, but uses what is not supported here.
        case unsupported
        /// There is no room for what is written.
        case diskFull
        /// The system could not read.
        case readFailed
        /// The system could not write.
        case writeFailed
    }

    /// What kind of failure it is.
    package let code: Code
    /// What happened, in a sentence without a full stop.
    package let message: String

    /// Makes an error.
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
