// SPDX-License-Identifier: Apache-2.0

extension PhotoMetadata {
    /// Returns the names of creators with a semicolon and a blank between them, as other programs show them.
    ///
    /// - Parameter text: One or more names, separated by semicolons.
    /// - Returns: `nil` if there is no name, or if the text is too long or has control characters.
    public static func creator(_ text: String) -> String? {
        joinedCreators(creators(text)).flatMap(Self.text)
    }

    /// Returns the names in a text of ``creator(_:)``.
    package static func creators(_ text: String) -> [String] {
        text.split(separator: ";").map { String($0).trimmingBlanks }.filter { !$0.isEmpty }
    }

    /// Returns several names as one text; `nil` if there are none.
    package static func joinedCreators(_ names: [String]) -> String? {
        let names = names.map(\.trimmingBlanks).filter { !$0.isEmpty }
        return names.isEmpty ? nil : names.joined(separator: "; ")
    }
}
