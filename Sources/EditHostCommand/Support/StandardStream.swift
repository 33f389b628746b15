// SPDX-License-Identifier: Apache-2.0

import Glibc

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

    /// Writes a message of the program in one line.
    func message(_ text: String) { write("edithost: \(text.printable)\n") }
}

extension String {
    /// The text without characters that a terminal could take for commands: names of files may
    /// hold anything.
    var printable: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n", "\r", "\t": result += " "
            case _ where scalar.isControl: result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}
