// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Glibc

/// Reads a file line by line, never holding more of it than one line and what is read at a time.
struct LineReader {
    /// A line that is longer than allowed.
    struct TooLong: Error {
        /// Which one, from 1.
        let number: Int
    }

    /// A line without the byte that ends it.
    struct Line {
        let bytes: Data
        /// Where it lies in the file, with the byte that ends it.
        let place: Range<Int>
        /// Which one it is, from 1.
        let number: Int
    }

    private static let chunk = 1 << 18

    private let file: OpenFile
    private let maximumLength: Int
    private var buffer: [UInt8] = []
    /// Where in the buffer the next line begins, and where in the file the buffer does.
    private var start = 0
    private var offset = 0
    private var number = 0

    init(_ file: OpenFile, maximumLength: Int) {
        self.file = file
        self.maximumLength = maximumLength
    }

    /// The next whole line; nil: there is none. What stands behind the last end of a line is none.
    ///
    /// - Throws: `TooLong`; `HostError` with `fileFailed`.
    mutating func next() throws -> Line? {
        while true {
            if let end = endOfLine {
                guard end - start <= maximumLength else { throw TooLong(number: number + 1) }
                number += 1
                defer { start = end + 1 }
                return Line(
                    bytes: Data(buffer[start..<end]),
                    place: offset + start..<offset + end + 1, number: number)
            }
            guard buffer.count - start <= maximumLength else {
                throw TooLong(number: number + 1)
            }
            buffer.removeFirst(start)
            offset += start
            start = 0
            let more = try file.read(count: Self.chunk, at: offset + buffer.count)
            guard !more.isEmpty else { return nil }
            buffer += more
        }
    }

    private var endOfLine: Int? {
        buffer.withUnsafeBytes { bytes in
            guard let first = bytes.baseAddress, start < bytes.count,
                let found = memchr(first + start, 0x0A, bytes.count - start)
            else { return nil }
            return UnsafeRawPointer(found) - first
        }
    }
}
