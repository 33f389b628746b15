// SPDX-License-Identifier: Apache-2.0

extension ParameterValue {
    /// Returns the canonical value of a colour, `#rrggbbaa` in lower case; `nil` if the text is neither `#rrggbb` nor
    /// `#rrggbbaa`.
    package static func color(_ text: String) -> ParameterValue? {
        let digits = text.lowercased()
        guard digits.hasPrefix("#"), [7, 9].contains(digits.utf8.count),
            digits.dropFirst().allSatisfy({ $0.isASCII && $0.isHexDigit })
        else { return nil }
        return .string(digits.utf8.count == 7 ? digits + "ff" : digits)
    }
}
