// SPDX-License-Identifier: Apache-2.0

/// The text files of minisign: lines of base64, and comments.
enum MinisignText {
    /// The maximum size of a file in bytes.
    static let maximumSize = 8192
    static let untrusted = "untrusted comment: "
    static let trusted = "trusted comment: "

    static func lines(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map(String.init)
    }

    static func isComment(_ line: String) -> Bool {
        line.hasPrefix(untrusted) || line.hasPrefix(trusted)
    }
}
