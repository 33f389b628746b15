// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Input from other programs.
enum StandardInput {
    /// Returns asset names, with `-` replaced by the names on standard input.
    ///
    /// - Throws: `CommandEnd` if standard input cannot be read or exceeds the limits of ``NameList``.
    static func filling(_ names: [String]) throws -> [String] {
        try names.flatMap { try $0 == "-" ? Self.names() : [$0] }
    }

    private static func names() throws -> [String] {
        var list = NameList()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw CommandEnd(
                    status: .badData,
                    message: "cannot read standard input: \(String(cString: strerror(errno)))")
            }
            guard count > 0 else { return try list.finished() }
            try list.read(buffer[..<count])
        }
    }
}
