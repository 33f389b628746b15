// SPDX-License-Identifier: Apache-2.0

/// What a user calls an extension by: its identifier, or the last part of it, in any case.
package struct ExtensionName: Sendable {
    private let lowered: String

    /// Takes the name as the user wrote it.
    package init(_ text: String) { lowered = text.lowercased() }

    /// Whether it is an extension's identifier.
    package func isWhole(_ identifier: String) -> Bool { identifier.lowercased() == lowered }

    /// Whether it is the last part of an extension's identifier, or several parts at its end.
    package func isEnd(of identifier: String) -> Bool {
        identifier.lowercased().hasSuffix(".\(lowered)")
    }

    /// Whether an extension may be meant by it.
    package func means(_ identifier: String) -> Bool {
        isWhole(identifier) || isEnd(of: identifier)
    }

    /// Whether a folder has the name, with the ending of extensions' folders.
    package func isFolder(_ path: String) -> Bool {
        path.lowercased().hasSuffix("/\(lowered).editingextension")
    }

    /// The shortest name that an extension may have.
    package static func shortest(of identifier: String) -> String {
        identifier.split(separator: ".").last.map(String.init) ?? identifier
    }
}
