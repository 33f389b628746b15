// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// Display of untrusted text, such as filenames, titles and messages of extensions, on a terminal or a page.
extension String {
    /// The text with control characters, bidirectional controls and invisible characters escaped as `\u{202e}`.
    /// Line breaks and tabs become spaces.
    package var printable: String {
        guard unicodeScalars.contains(where: { $0.isHiddenAtTerminal || $0.escapedByte != nil })
        else { return self }
        var result = ""
        var last: Unicode.Scalar?
        var rest = unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\n", "\r", "\t": result += " "
            case _ where scalar.escapedByte != nil: result += scalar.byteText
            case _ where scalar.isJoiner && scalar.joins(last, rest.first),
                _ where scalar.isSelector && last?.isSelectable == true:
                result.unicodeScalars.append(scalar)
            case _ where scalar.isHiddenAtTerminal:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
            last = scalar
        }
        return result
    }
}

extension Unicode.Scalar {
    /// True if the scalar must be escaped on output: a control character of C0 or C1, a bidirectional control,
    /// an invisible character, or a line separator.
    package var isHiddenAtTerminal: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        // Includes blanks that are classified as letters, such as the Hangul fillers.
        default: properties.isDefaultIgnorableCodePoint
        }
    }

    /// The escaped form of a filename byte that is not UTF-8, such as `\xE9`; otherwise empty.
    package var byteText: String {
        escapedByte.map { "\\x" + String($0, radix: 16, uppercase: true) } ?? ""
    }

    /// Whether this is a zero-width joiner or non-joiner, which some scripts require.
    fileprivate var isJoiner: Bool { self == "\u{200C}" || self == "\u{200D}" }

    /// Whether this is a variation selector, which selects a form of the preceding character.
    fileprivate var isSelector: Bool { ("\u{FE00}"..."\u{FE0F}").contains(self) }

    /// Whether the scalar may have several forms.
    fileprivate var isSelectable: Bool { properties.isEmoji || !isASCII && !isHiddenAtTerminal }

    /// Returns whether a joiner between two scalars has a meaning.
    fileprivate func joins(_ left: Unicode.Scalar?, _ right: Unicode.Scalar?) -> Bool {
        func isJoined(_ scalar: Unicode.Scalar?) -> Bool {
            guard let scalar, !scalar.isASCII, !scalar.isJoiner else { return false }
            let properties = scalar.properties
            return properties.isAlphabetic || properties.isEmoji || scalar.isSelector
                || properties.generalCategory == .nonspacingMark
        }
        return isJoined(left) && isJoined(right)
    }
}
