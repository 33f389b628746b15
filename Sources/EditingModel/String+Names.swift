// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Whether it can be a name: 1 to 255 bytes without characters that split lines, control a terminal or turn the
    /// direction of text.
    package var isName: Bool {
        (1...255).contains(utf8.count) && hasNameCharactersOnly
    }

    /// Whether every character may be in a name.
    package var hasNameCharactersOnly: Bool {
        unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: false
            default: !scalar.properties.isBidiControl
            }
        }
    }
}
