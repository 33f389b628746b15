// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// The standard output and standard error streams, unbuffered.
enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// `true` if the stream is a terminal.
    var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Writes a text. Best effort: errors are ignored.
    func write(_ text: String) { _ = put(text) }

    /// Writes a text that must not be lost.
    ///
    /// - Throws: `CommandEnd`, without a message if the reader has closed the stream.
    func print(_ text: String) throws { try check(put(text)) }

    /// Writes bytes that must not be lost.
    ///
    /// - Throws: The errors of ``print(_:)``.
    func print(_ bytes: Data) throws {
        try check(bytes.withUnsafeBytes(put))
    }

    private func check(_ error: Int32) throws {
        switch error {
        case 0: return
        // EBADF: the program was started without the stream, and the descriptor is reserved for reading.
        case EPIPE, ECONNRESET, EBADF: throw CommandEnd(status: .outputClosed)
        default:
            throw CommandEnd(
                status: .outputFailed,
                message: "cannot write standard output: \(String(cString: strerror(error)))")
        }
    }

    /// - Returns: 0, or the value of `errno`.
    private func put(_ text: String) -> Int32 {
        var text = text
        return text.withUTF8 { put(UnsafeRawBufferPointer($0)) }
    }

    private func put(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        var offset = 0
        while offset < bytes.count {
            let count = Glibc.write(
                rawValue, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
            let error = count < 0 ? errno : count == 0 ? EIO : 0
            switch error {
            case 0: offset += count
            case EINTR: continue
            case EAGAIN: waitUntilWritable()
            default: return error
            }
        }
        return 0
    }

    /// Waits until the stream is writable. Another process with the same stream may have made it non-blocking.
    private func waitUntilWritable() {
        var request = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
    }

    /// Writes several lines.
    func write(lines text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            write(line.description.printable + "\n")
        }
    }

    /// Writes a message of the program as one line.
    func message(_ text: String) { write("edithost: \(text.printable)\n") }
}
