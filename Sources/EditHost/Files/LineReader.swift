// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Glibc

/// Reads a file line by line. Holds at most one line and one chunk in memory.
struct LineReader {
    /// The error for a line that is longer than allowed.
    struct TooLong: Error {
        /// The line number, from 1.
        let number: Int
    }

    /// A line without its terminating newline.
    struct Line {
        let bytes: Data
        /// The range of the line in the file, including the newline.
        let place: Range<Int>
        /// The line number, from 1.
        let number: Int
    }

    private static let chunk = 1 << 18

    private let file: OpenFile
    private let maximumLength: Int
    private var buffer: [UInt8] = []
    // The offset of the next line in the buffer, and of the buffer in the file.
    private var start = 0
    private var offset = 0
    private var number = 0

    init(_ file: OpenFile, maximumLength: Int) {
        self.file = file
        self.maximumLength = maximumLength
    }

    /// Returns the next complete line, or nil at the end. Ignores text after the last newline.
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
