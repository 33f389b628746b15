// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The end of a runner's output to stdout and stderr. Earlier output is drained and discarded.
struct RunnerLog {
    static let capacity = 16 << 10
    /// The length in bytes from which an incomplete line counts as complete.
    private static let maximumLine = 4 << 10
    /// The number of bytes that are returned as lines in each request.
    private static let maximumLines = 64 << 10

    private var bytes = Data()
    /// The end of the output, if it is no complete line.
    private var rest = Data()
    /// The number of bytes of lines that ``append(_:)`` still returns.
    private var room = Self.maximumLines
    /// The number of bytes of lines that ``note(_:)`` still returns.
    private var loggedRoom = Self.maximumLines
    /// The number of bytes so far.
    private(set) var byteCount = 0

    /// Appends output.
    ///
    /// - Returns: The lines that it completes. Lines beyond the limit are dropped.
    @discardableResult
    mutating func append(_ data: Data) -> [String] {
        keep(data)
        guard room > 0 else { return [] }
        room -= data.count
        rest.append(data)
        var lines: [String] = []
        var start = rest.startIndex
        while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(String(decoding: rest[start..<end], as: UTF8.self))
            start = end + 1
        }
        rest = Data(rest[start...])
        if rest.count >= Self.maximumLine, let line = takeRest() { lines.append(line) }
        guard room <= 0 else { return lines }
        rest = Data()
        return lines + ["[...]"]
    }

    /// Appends a line that was logged, not printed. Call ``takeRest()`` first, to keep the order.
    ///
    /// - Returns: The lines to report. Lines beyond the limit are dropped.
    mutating func note(_ line: String) -> [String] {
        let data = Data((line + "\n").utf8)
        keep(data)
        guard loggedRoom > 0 else { return [] }
        loggedRoom -= data.count
        return loggedRoom > 0 ? [line] : [line, "[...]"]
    }

    private mutating func keep(_ data: Data) {
        byteCount += data.count
        bytes.append(data)
        if bytes.count > Self.capacity { bytes = Data(bytes.suffix(Self.capacity)) }
    }

    /// Allows ``append(_:)`` and ``note(_:)`` to return lines again after the limit was reached.
    mutating func beginRequest() { (room, loggedRoom) = (Self.maximumLines, Self.maximumLines) }

    /// Returns the last line if it has no end.
    mutating func takeRest() -> String? {
        defer { rest = Data() }
        return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
    }

    /// The text. Invalid UTF-8 is replaced.
    var text: String {
        (byteCount > bytes.count ? "[...] " : "") + String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the text after the first `count` bytes, as far as it has been kept.
    func text(after count: Int) -> String {
        String(decoding: bytes.suffix(max(0, byteCount - count)), as: UTF8.self)
    }
}
