// SPDX-License-Identifier: Apache-2.0

/// A user-typed name of an extension: its identifier or the last components of it, ignoring case.
package struct ExtensionName: Sendable {
    private let lowered: String

    /// Creates a name from the text that the user typed.
    package init(_ text: String) { lowered = text.lowercased() }

    /// Returns `true` if the name is the complete identifier, ignoring case.
    package func isWhole(_ identifier: String) -> Bool { identifier.lowercased() == lowered }

    /// Returns `true` if the name is one or more of the last components of the identifier.
    package func isSuffix(of identifier: String) -> Bool {
        identifier.lowercased().hasSuffix(".\(lowered)")
    }

    /// Returns `true` if the name matches the identifier completely or at its end.
    package func matches(_ identifier: String) -> Bool {
        isWhole(identifier) || isSuffix(of: identifier)
    }

    /// Returns `true` if the folder at the path has this name plus the suffix of extension folders.
    package func isFolder(_ path: String) -> Bool {
        path.lowercased().hasSuffix("/\(lowered).editingextension")
    }

    /// Returns the last component of an identifier, the shortest name that matches it.
    package static func shortest(of identifier: String) -> String {
        identifier.split(separator: ".").last.map(String.init) ?? identifier
    }
}
