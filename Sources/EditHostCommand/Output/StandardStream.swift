// SPDX-License-Identifier: Apache-2.0

import Glibc
import Logging

/// The program's output and its channel for messages, unbuffered.
enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Whether a person reads it as it is written.
    var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Writes a text.
    ///
    /// - Returns: false where nobody reads it any more, or the disk is full.
    @discardableResult
    func write(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var offset = 0
            while offset < bytes.count {
                let count = Glibc.write(
                    rawValue, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                offset += count
            }
            return true
        }
    }

    /// Writes several lines.
    func write(lines text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            write(line.description.printable + "\n")
        }
    }

    /// Writes a message of the program in one line.
    func message(_ text: String) { write("edithost: \(text.printable)\n") }
}

/// Writes log messages to the channel for messages.
struct StandardErrorLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        StandardStream.error.message("\(event.level): \(event.message)")
    }
}
