// SPDX-License-Identifier: Apache-2.0

/// A place in a text.
public struct TextPosition: Hashable, Sendable {
    /// The line, from 1.
    public let line: Int
    /// The character in the line, from 1.
    public let column: Int
}

/// Why a `manifest.json` is not usable.
public struct ExtensionManifestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The key concerned, as a path, for example `parameters[2].minimum`; empty: the whole file.
    public let key: String
    /// What is wrong with it.
    public let problem: String
    /// Where it stands, or what it is missing in; nil: not known.
    public var position: TextPosition?

    /// Makes an error.
    public init(key: String, problem: String, position: TextPosition? = nil) {
        self.key = key
        self.problem = problem
        self.position = position
    }

    /// A sentence for people.
    public var description: String {
        let place = position.map { " (line \($0.line), column \($0.column))" } ?? ""
        return key.isEmpty
            ? "the manifest \(problem)\(place)" : "the manifest's \"\(key)\"\(place) \(problem)"
    }
}
