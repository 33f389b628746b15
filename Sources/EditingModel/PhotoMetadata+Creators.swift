// SPDX-License-Identifier: Apache-2.0

extension PhotoMetadata {
    /// Returns the names of several creators as one text, separated by semicolons, as other programs show them.
    package static func creator(_ names: [String]) -> String? {
        let names = names.map(\.trimmingBlanks).filter { !$0.isEmpty }
        return names.isEmpty ? nil : names.joined(separator: "; ")
    }

    /// Returns the names in a text of ``creator(_:)``.
    package static func creators(_ text: String) -> [String] {
        text.split(separator: ";").map { String($0).trimmingBlanks }.filter { !$0.isEmpty }
    }
}
