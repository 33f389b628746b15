// SPDX-License-Identifier: Apache-2.0

extension String {
    /// `true` if the string is a valid name: 1 to 255 bytes without line breaks, terminal controls or
    /// bidirectional overrides.
    package var isName: Bool {
        (1...255).contains(utf8.count) && hasNameCharactersOnly
    }

    /// `true` if every character is valid in a name.
    package var hasNameCharactersOnly: Bool {
        unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: false
            default: !scalar.properties.isBidiControl
            }
        }
    }
}
