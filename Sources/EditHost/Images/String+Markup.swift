// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Untrusted text for the content and the quoted attributes of XML and HTML. Bidirectional controls and invisible
    /// characters are escaped as in ``printable``.
    var markup: String {
        var escaped = ""
        for scalar in printable.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            // XML does not allow these characters.
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}":
                escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
